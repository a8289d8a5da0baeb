import { Script } from "../script.js";

/**
 * A store is three keys in one slot: `items`, a hash from name to `created updated expires lifetime LF json` (times in
 * milliseconds, 0 for never), `index`, a sorted set of the names in the order of their bytes, and `expiry`, one of those
 * that expire by when.
 */
const PRELUDE = `
local call = redis.call
local items, index, expiry = KEYS[1], KEYS[2], KEYS[3]
local clock = call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)

local function int(number) return string.format('%.0f', number) end

local function drop(name)
  call('HDEL', items, name)
  call('ZREM', index, name)
  call('ZREM', expiry, name)
end

local function live(name)
  local stored = call('HGET', items, name)
  if not stored then return nil end
  local expires = tonumber(string.match(stored, '^%d+ %d+ (%d+)'))
  if expires > 0 and expires <= now then return nil end
  return stored
end

-- Reading an item gives it its whole lifetime again.
local function refresh(name, stored)
  local created, updated, lifetime, json = string.match(stored, '^(%d+) (%d+) %d+ (%d+)\\n(.*)$')
  if lifetime == '0' then return end
  local expires = int(now + tonumber(lifetime))
  call('HSET', items, name, created .. ' ' .. updated .. ' ' .. expires .. ' ' .. lifetime .. '\\n' .. json)
  call('ZADD', expiry, expires, name)
end
`;

/** `name, lifetime in milliseconds (0 never, -1 to delete), json` per item → nothing. Takes expired items along, a hundred at most. */
export const PUT_ITEMS = new Script(`${PRELUDE}
for i = 1, #ARGV, 3 do
  local name, lifetime = ARGV[i], tonumber(ARGV[i + 1])
  if lifetime < 0 then
    drop(name)
  else
    local old = live(name)
    local created = old and string.match(old, '^%d+') or int(now)
    local expires = lifetime > 0 and int(now + lifetime) or '0'
    call('HSET', items, name,
      created .. ' ' .. int(now) .. ' ' .. expires .. ' ' .. ARGV[i + 1] .. '\\n' .. ARGV[i + 2])
    call('ZADD', index, 0, name)
    if lifetime > 0 then call('ZADD', expiry, expires, name) else call('ZREM', expiry, name) end
  end
end
for _, name in ipairs(call('ZRANGEBYSCORE', expiry, '-inf', int(now), 'LIMIT', 0, 100)) do drop(name) end
return {}
`);

/** `refresh (1 | 0), name…` → what is stored under each, nothing where it is missing or expired. */
export const GET_ITEMS = new Script(`${PRELUDE}
local found = {}
for i = 2, #ARGV do
  local stored = live(ARGV[i])
  if stored and ARGV[1] == '1' then refresh(ARGV[i], stored) end
  found[i - 1] = stored or false
end
return found
`);

/**
 * `low, high, names to look at, bytes to look at, items wanted, items to skip, texts that each must hold…` → where to go on
 * (empty at the end), items still to skip, then name and content of each item found.
 */
export const SEARCH_ITEMS = new Script(`${PRELUDE}
local names_wanted, bytes, wanted, skip = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local names = call('ZRANGEBYLEX', index, ARGV[1], ARGV[2], 'LIMIT', 0, names_wanted)
local found = {}
local last = ''
for _, name in ipairs(names) do
  if bytes <= 0 or #found >= 2 * wanted then return { last, skip, found } end
  last = name
  local stored = live(name)
  if stored then
    bytes = bytes - #stored
    local holds = true
    for i = 7, #ARGV do
      if not string.find(stored, ARGV[i], 1, true) then
        holds = false
        break
      end
    end
    if holds and skip > 0 then
      skip = skip - 1
    elseif holds then
      found[#found + 1] = name
      found[#found + 1] = stored
    end
  end
end
if #names < names_wanted then last = '' end
return { last, skip, found }
`);

/** `low, how many` → the namespaces from there on, each once, by leaping over the items of each. */
export const LIST_NAMESPACES = new Script(`${PRELUDE}
local low = ARGV[1]
local found = {}
for _ = 1, tonumber(ARGV[2]) do
  local first = call('ZRANGEBYLEX', index, low, '+', 'LIMIT', 0, 1)[1]
  if not first then break end
  local namespace = string.sub(first, 1, string.find(first, '\\0\\0', 1, true) - 1)
  found[#found + 1] = namespace
  low = '[' .. namespace .. '\\0\\1'
end
return found
`);

/** `how many` → how many expired items were removed. */
export const SWEEP = new Script(`${PRELUDE}
local expired = call('ZRANGEBYSCORE', expiry, '-inf', int(now), 'LIMIT', 0, ARGV[1])
for _, name in ipairs(expired) do drop(name) end
return #expired
`);
