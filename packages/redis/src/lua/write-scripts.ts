import { MUTATION, SEARCH } from "./prelude.js";
import { Script } from "../script.js";

/** `path, condition (absent | version | none), version, text, bytes` → `ok version`, or a code. */
export const PUT = new Script(`${MUTATION}
local path, condition, version, text, bytes = ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local old = record(path)
if not old then
  local why = obstacle(path)
  if why then return { why } end
  if condition == 'version' then return { 'conflict' } end
else
  if condition == 'absent' then return { 'already_exists' } end
  if condition == 'version' and string.match(old, '^%S+') ~= version then return { 'conflict' } end
end
local stored = store(path, bytes, text, old)
announce(old and 'changed ' or 'created ', path)
return finish(stored)
`);

/** `path, version ('' for any)` → `ok 1`, `none`, or a code. */
export const REMOVE = new Script(`${MUTATION}
local path, version = ARGV[5], ARGV[6]
local old = record(path)
if not old then
  if is_directory(path) then return { 'is_directory' } end
  if version ~= '' then return { 'conflict' } end
  return { 'none' }
end
if version ~= '' and string.match(old, '^%S+') ~= version then return { 'conflict' } end
unlink(path)
announce('deleted ', path)
return finish('1')
`);

/**
 * `path, version, largest result, largest source, allowance, then old, new, all (1 | 0) per edit` →
 * `ok`, then occurrences, version and size in one text, or `decline` where the generic path has to do the work or to find the words. UTF-8 keeps a needle from matching in the
 * middle of a character, so bytes give what code units give.
 */
export const EDIT = new Script(`${MUTATION}${SEARCH}
local path, version = ARGV[5], ARGV[6]
local largest, largest_source = tonumber(ARGV[7]), tonumber(ARGV[8])
local MOST = 10000
allowance = tonumber(ARGV[9])
local DECLINED = { 'decline' }

local old = record(path)
if not old then return DECLINED end
local current, size, text = string.match(old, '^(%S+) (%S+) %S+ %S+ (%S+)')
if text ~= '1' or tonumber(size) > largest_source then return DECLINED end
if version ~= '' and current ~= version then return DECLINED end

local bytes = call('HGET', files, 'c' .. path)
local occurrences = 0
for i = 10, #ARGV, 3 do
  local needle, replacement, all = ARGV[i], ARGV[i + 1], ARGV[i + 2] == '1'
  local first, cut = seek(bytes, needle, 1)
  if not first then return DECLINED end
  local second
  second, cut = seek(bytes, needle, first + #needle)
  if cut or (second and not all) then return DECLINED end
  local parts, count, from, length = {}, 0, 1, 0
  local at = first
  while at do
    local kept = string.sub(bytes, from, at - 1)
    length = length + #kept + #replacement
    if length > largest or count == MOST then return DECLINED end
    parts[#parts + 1] = kept
    parts[#parts + 1] = replacement
    count = count + 1
    from = at + #needle
    if not second then break end
    at, cut = seek(bytes, needle, from)
    if cut then return DECLINED end
  end
  parts[#parts + 1] = string.sub(bytes, from)
  bytes = table.concat(parts)
  if #bytes > largest then return DECLINED end
  occurrences = occurrences + count
end
local stored = store(path, bytes, '1', old)
announce('changed ', path)
return finish(string.format('%d %s %d', occurrences, stored, #bytes))
`);

/** `from, to, overwrite (1 | 0), keep the source (1 | 0)` → `ok 1`, `none` without a source, or a code of the destination. */
export const TRANSFER = new Script(`${MUTATION}
local from, to, overwrite, keep = ARGV[5], ARGV[6], ARGV[7] == '1', ARGV[8] == '1'
local source = record(from)
if not source then return { 'none' } end
local standing = record(to)
if not standing then
  local why = obstacle(to)
  if why then return { why } end
elseif not overwrite then
  return { 'already_exists' }
end
local bytes = call('HGET', files, 'c' .. from)
store(to, bytes, string.match(source, '(%S+)$'), standing)
if not keep then
  unlink(from)
  announce('deleted ', from)
end
announce(standing and 'changed ' or 'created ', to)
return finish('1')
`);

/**
 * `directory, files, the path after which to go on` → `ok files removed, the last of them`, or `none` when nothing is left there.
 */
export const CUT = new Script(`${MUTATION}
local _, low, high = below(ARGV[5])
if ARGV[7] ~= '' then low = '(' .. member(ARGV[7]) end
local found = call('ZRANGEBYLEX', paths, low, high, 'LIMIT', 0, ARGV[6])
if #found == 0 then return { 'none' } end
local last
for _, name in ipairs(found) do
  last = path_of(name)
  unlink(last)
  announce('deleted ', last)
end
return finish(string.format('%d %s', #found, last))
`);

/**
 * `from, to, keep the source (1 | 0), most files, most bytes, bytes of the longest path` → `ok files`, or `decline` when that is
 * too much for one script, or a path would be too long.
 */
export const TRANSFER_TREE = new Script(`${MUTATION}
local from, to, keep = ARGV[5], ARGV[6], ARGV[7] == '1'
local most, most_bytes, longest = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
if record(to) or is_directory(to) then return { 'decline' } end
if below_file(to) then return { 'not_directory' } end
local _, low, high = below(from)
local found = call('ZRANGEBYLEX', paths, low, high, 'LIMIT', 0, most + 1)
if #found > most then return { 'decline' } end
local moving, total = {}, 0
for i, name in ipairs(found) do
  local path = path_of(name)
  if #path - #from + #to > longest then return { 'decline' } end
  local size, text = string.match(record(path), '^%S+ (%S+) %S+ %S+ (%S+)')
  total = total + tonumber(size)
  moving[i] = { path, text }
end
if total > most_bytes then return { 'decline' } end
for _, file in ipairs(moving) do
  local path = file[1]
  local target = to .. string.sub(path, #from + 1)
  store(target, call('HGET', files, 'c' .. path), file[2], nil)
  if not keep then
    unlink(path)
    announce('deleted ', path)
  end
  announce('created ', target)
end
return finish(string.format('%d', #moving))
`);
