/**
 * What every script starts with. A namespace is three keys in one slot:
 *
 * - `files`, a hash with two fields per file: `c` + path is its content, `m` + path its record
 *   `version size modified created text` (times in milliseconds, `text` 1 or 0).
 * - `paths`, a sorted set of equal scores, so ordered by bytes: the path of every file. What lies below a directory is one
 *   range of it, and its children are found by leaping from one to the next. A directory exists while that range is not
 *   empty, so that no listing can show a ghost. Characters beyond the first plane are written as their two surrogates,
 *   three bytes each: then the order of bytes is the order of UTF-16 in which every listing is sorted.
 * - `log`, a hash: `v` counts versions, `o` + operation is the reply of a recent mutation, `r` + n the ring that forgets
 *   old ones. A client that lost its connection sends a command again; the log answers it without doing it twice.
 *
 * Files and paths exist together or not at all. Only eviction can break that: lost paths are then made again from the
 * files, and paths without files go too.
 */
export const PRELUDE = `
local call = redis.call
local files, paths, log = KEYS[1], KEYS[2], KEYS[3]

local function three(unit)
  return string.char(224 + math.floor(unit / 4096), 128 + math.floor(unit / 64) % 64, 128 + unit % 64)
end

local function member(path)
  if not string.find(path, '[\\240-\\244]') then return path end
  return (string.gsub(path, '([\\240-\\244])(.)(.)(.)', function(a, b, c, d)
    local point = (a:byte() % 8) * 262144 + (b:byte() % 64) * 4096 + (c:byte() % 64) * 64 + d:byte() % 64 - 65536
    return three(55296 + math.floor(point / 1024)) .. three(56320 + point % 1024)
  end))
end

local function path_of(member)
  if not string.find(member, '\\237[\\160-\\175]') then return member end
  return (string.gsub(member, '\\237([\\160-\\175])(.)\\237([\\176-\\191])(.)', function(a, b, c, d)
    local high = (a:byte() % 32) * 64 + b:byte() % 64
    local point = (high % 1024) * 1024 + (c:byte() % 16) * 64 + d:byte() % 64 + 65536
    return string.char(
      240 + math.floor(point / 262144), 128 + math.floor(point / 4096) % 64,
      128 + math.floor(point / 64) % 64, 128 + point % 64)
  end))
end

-- What all paths below a directory begin with, and the range that they are.
local function below(directory)
  local base = directory == '/' and '' or member(directory)
  return base .. '/', '[' .. base .. '/', '(' .. base .. '0'
end

local function parent(path)
  local cut = string.match(path, '^.*()/')
  if cut == 1 then return '/' end
  return string.sub(path, 1, cut - 1)
end

local function record(path) return call('HGET', files, 'm' .. path) end

local function is_directory(path)
  local _, low, high = below(path)
  return #call('ZRANGEBYLEX', paths, low, high, 'LIMIT', 0, 1) > 0
end
`;

/** What every script that changes something adds: `ARGV[1]` is the operation's id, `ARGV[2]` the time to live in milliseconds. */
export const MUTATION = `
${PRELUDE}
local REMEMBERED = 256
local operation, ttl = ARGV[1], tonumber(ARGV[2])

local clock = call('TIME')
local now = clock[1] .. string.format('%03d', math.floor(tonumber(clock[2]) / 1000))

local function next_version()
  local version = call('HINCRBY', log, 'v', 1)
  if version == 1 then
    -- A namespace that expired or was flushed must not number its files as before.
    version = tonumber(clock[1]) * 1000000 + tonumber(clock[2])
    call('HSET', log, 'v', string.format('%.0f', version))
  end
  return string.format('%.0f', version)
end

local function below_file(path)
  local up = parent(path)
  while up ~= '/' do
    if call('HEXISTS', files, 'm' .. up) == 1 then return true end
    if is_directory(up) then return false end
    up = parent(up)
  end
  return false
end

-- Why no file may be created here, or nil.
local function obstacle(path)
  if is_directory(path) then return 'is_directory' end
  if below_file(path) then return 'not_directory' end
  return nil
end

local function heal()
  if call('EXISTS', files, paths) ~= 1 then return end
  if call('EXISTS', files) == 0 then return call('DEL', paths) end
  for _, field in ipairs(call('HKEYS', files)) do
    if string.sub(field, 1, 1) == 'm' then call('ZADD', paths, 0, member(string.sub(field, 2))) end
  end
end

local function store(path, bytes, text, old)
  local version = next_version()
  local created = now
  if old then created = string.match(old, '^%S+ %S+ %S+ (%S+)') end
  local line = table.concat({ version, string.format('%d', #bytes), now, created, text }, ' ')
  call('HSET', files, 'c' .. path, bytes, 'm' .. path, line)
  if not old then call('ZADD', paths, 0, member(path)) end
  return version
end

local function unlink(path)
  call('HDEL', files, 'c' .. path, 'm' .. path)
  call('ZREM', paths, member(path))
end

local function announce(kind, path)
  call('PUBLISH', files, kind .. path)
end

-- Keeps the reply for a client that asks again, and pushes the expiry of the whole namespace ahead.
local function finish(reply)
  local turn = call('HINCRBY', log, 't', 1) % REMEMBERED
  local forgotten = call('HGET', log, 'r' .. turn)
  if forgotten then call('HDEL', log, 'o' .. forgotten) end
  call('HSET', log, 'r' .. turn, operation, 'o' .. operation, reply)
  if ttl > 0 then
    local at = string.format('%.0f', tonumber(now) + ttl)
    call('PEXPIREAT', files, at)
    call('PEXPIREAT', paths, at)
    call('PEXPIREAT', log, at)
  end
  return { 'ok', reply }
end

local done = call('HGET', log, 'o' .. operation)
if done then return { 'ok', done } end
heal()
`;

/**
 * Searching that stops once it has looked at `allowance` bytes, and says where: no text and no needle can hold up the
 * server. Counted and not timed, because a script's clock may stand still. A script may only stop before it changes
 * anything.
 */
export const SEARCH = `
local WINDOW = 32768
local scanned, allowance = 0, 0

-- As string.find with plain text: where the needle begins, or nil. A second value is where to go on from.
local function seek(text, needle, from)
  local at = from
  while at <= #text do
    if scanned > allowance then return nil, at end
    local first
    if #text - at < WINDOW then
      first = string.find(text, needle, at, true)
    else
      first = string.find(string.sub(text, at, at + WINDOW + #needle - 2), needle, 1, true)
      if first then first = at + first - 1 end
    end
    scanned = scanned + (first or math.min(at + WINDOW, #text + 1)) - at
    if first then return first end
    at = at + WINDOW
  end
  return nil
end
`;
