import { PRELUDE } from "./prelude.js";
import { Script } from "../script.js";

/**
 * `client, milliseconds after which a silent client is forgotten, fields of the log to look at, time to live` → nothing. Makes
 * the client known, and forgets others, a few per call, so that the log never outgrows its clients.
 */
export const REGISTER = new Script(`${PRELUDE}
local client, forget, ttl = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[4])
local clock = call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
local page = call('HSCAN', log, call('HGET', log, 'scan') or '0', 'COUNT', ARGV[3])
local fields = page[2]
for i = 1, #fields, 2 do
  local other = string.match(fields[i], '^l(.*)$') or string.match(fields[i], '^o(%S+) ')
  if other then
    local seen = string.match(call('HGET', log, 'l' .. other) or '', '(%d+)$')
    if not seen or tonumber(seen) < now - forget then call('HDEL', log, fields[i]) end
  end
end
call('HSET', log, 'scan', page[1], 'l' .. client, '1 0 ' .. string.format('%.0f', now))
if ttl > 0 and call('PTTL', log) < 0 then call('PEXPIRE', log, string.format('%.0f', ttl)) end
return {}
`);

/**
 * `fields to look at` → `done`, or `more` and the bytes of content that were passed over. Makes the index of paths again from
 * the files in a key of its own, which takes its place when it is whole. Clients may take turns.
 */
export const HEAL = new Script(`${PRELUDE}
local healing = KEYS[4]
if call('EXISTS', files) == 0 then
  call('UNLINK', healing)
  return { 'done' }
end
if call('EXISTS', paths) == 1 then return { 'done' } end
local cursor = call('HGET', log, 'heal') or '0'
if call('EXISTS', healing) == 0 then cursor = '0' end
local page = call('HSCAN', files, cursor, 'COUNT', ARGV[1])
local bytes = 0
for i = 1, #page[2], 2 do
  local field = page[2][i]
  bytes = bytes + #page[2][i + 1]
  if string.sub(field, 1, 1) == 'm' then call('ZADD', healing, 0, member(string.sub(field, 2))) end
end
call('HSET', log, 'heal', page[1])
if page[1] ~= '0' then return { 'more', string.format('%d', bytes) } end
call('HDEL', log, 'heal')
-- Where half of it was evicted in between, it begins anew.
if call('ZCARD', healing) ~= call('HLEN', files) / 2 then
  call('UNLINK', healing)
  return { 'more', '0' }
end
call('RENAME', healing, paths)
local left = call('PTTL', files)
if left > 0 then call('PEXPIRE', paths, left) end
return { 'done' }
`);
