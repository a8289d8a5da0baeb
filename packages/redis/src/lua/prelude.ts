/**
 * What every script starts with. A namespace is three keys in one slot:
 *
 * - `files`, a hash with two fields per file: `c` + path is its content, `m` + path its record
 *   `version size modified created text` (times in milliseconds, `text` 1 or 0).
 * - `paths`, a sorted set of equal scores, so ordered by bytes: the path of every file. What lies below a directory is one
 *   range of it, and its children are found by leaping from one to the next. A directory exists while that range is not
 *   empty, so that no listing can show a ghost. Characters beyond the first plane are written as their two surrogates,
 *   three bytes each: then the order of bytes is the order of UTF-16 in which every listing is sorted.
 * - `log`, a hash: `v` counts versions, `o` + client + ` ` + n is the reply to its mutation number n, `l` + client is
 *   `low high seen`: its lowest number that still waits for an answer, its highest, and when it was last seen. A client that
 *   lost its connection sends a command again; the log answers it without doing it twice. Answers below `low` are dropped.
 *
 * Files and paths exist together or not at all. Only eviction can break that: paths without files go, and lost paths are
 * made again from the files, slice by slice in the key of the paths + `:healing`, before anything else is changed.
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

/**
 * What every script that changes something adds: `ARGV[1]` is the client, `ARGV[2]` the number of its mutation, `ARGV[3]` its
 * lowest number that waits for an answer, `ARGV[4]` the time to live in milliseconds.
 *
 * Any may answer `heal`: the paths are lost; `stale`: the client has given this mutation up; `stranger`: the client is not
 * known although files are there, so that nothing can be said about a repetition. Nothing is changed then.
 */
export const MUTATION = `
${PRELUDE}
local client, number, low, ttl = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

local clock = call('TIME')
local now = clock[1] .. string.format('%03d', math.floor(tonumber(clock[2]) / 1000))

-- Answers that one mutation drops, at most.
local FORGOTTEN = 64
local known_low, known_high = string.match(call('HGET', log, 'l' .. client) or '', '^(%d+) (%d+)')
if known_low then known_low, known_high = tonumber(known_low), tonumber(known_high) end

local function int(n) return string.format('%d', n) end
local function reply_of(n) return 'o' .. client .. ' ' .. int(n) end

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

-- Keeps the reply until its client has it, and pushes the expiry of the whole namespace ahead.
local function finish(reply)
  for n = known_low, math.min(low - 1, known_low + FORGOTTEN) do
    call('HDEL', log, reply_of(n))
    known_low = n + 1
  end
  call('HSET', log, reply_of(number), reply, 'l' .. client,
    int(known_low) .. ' ' .. int(math.max(known_high, number)) .. ' ' .. now)
  if ttl > 0 then
    local at = string.format('%.0f', tonumber(now) + ttl)
    call('PEXPIREAT', files, at)
    call('PEXPIREAT', paths, at)
    call('PEXPIREAT', log, at)
  end
  return { 'ok', reply }
end

local done = call('HGET', log, reply_of(number))
if done then return { 'ok', done } end
local whole = call('EXISTS', files, paths)
if whole == 1 then
  if call('EXISTS', files) == 1 then return { 'heal' } end
  call('UNLINK', paths)
end
if known_low == nil then
  if whole == 2 then return { 'stranger' } end
  known_low, known_high = number, number
end
if number < known_low then return { 'stale' } end
`;

/**
 * Searching that stops once it has looked at `allowance` bytes, what it cuts out included, and says where: no text and no needle can hold up the
 * server. Counted and not timed, because a script's clock may stand still. A script may only stop before it changes
 * anything.
 */
export const SEARCH = `
local WINDOW = 32768
local scanned, allowance = 0, 0

-- The part of the text that was cut out last, and where it begins: cut once per window, however often it is searched.
local piece, piece_of, piece_for, piece_at

-- As string.find with plain text: where the needle begins, or nil. A second value is where to go on from.
local function seek(text, needle, from)
  if piece_of ~= text or piece_for ~= needle then piece_of, piece_for, piece_at = text, needle, nil end
  local at = from
  while at <= #text do
    if scanned > allowance then return nil, at end
    if not piece_at or at < piece_at or at >= piece_at + WINDOW then
      piece, piece_at = string.sub(text, at, at + WINDOW + #needle - 2), at
      scanned = scanned + #piece
    end
    local first = string.find(piece, needle, at - piece_at + 1, true)
    if first then return piece_at + first - 1 end
    at = piece_at + WINDOW
  end
  return nil
end
`;
