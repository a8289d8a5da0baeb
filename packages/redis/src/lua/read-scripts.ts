import { PRELUDE, SEARCH } from "./prelude.js";
import { Script } from "../script.js";

/** `path` → the file's record, `directory`, or `none`. */
export const STAT = new Script(`${PRELUDE}
local path = ARGV[1]
local line = record(path)
if line then return { 'file', line } end
if call('ZSCORE', tree, entry(path)) then return { 'directory' } end
return { 'none' }
`);

/** `low, high, limit` → the members of that range of the tree, then as many records (nothing for a directory). */
export const RANGE = new Script(`${PRELUDE}
local found = call('ZRANGEBYLEX', tree, ARGV[1], ARGV[2], 'LIMIT', 0, ARGV[3])
if #found == 0 then return { {}, {} } end
local fields = {}
for i, member in ipairs(found) do
  local cut = string.find(member, '\\0', 1, true)
  local directory = string.sub(member, 1, cut - 1)
  if directory == '/' then directory = '' end
  fields[i] = 'm' .. directory .. '/' .. string.sub(member, cut + 1)
end
return { found, call('HMGET', files, unpack(fields)) }
`);

/**
 * `path, offset, limit, bytes up to which a file is sent whole, lines that may be counted` →
 * `whole record bytes`, `page record bytes lines (1 | 0 at the end)`, `binary`, `directory` or `none`.
 */
export const PAGE = new Script(`${PRELUDE}
local path, offset, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local small, countable = tonumber(ARGV[4]), tonumber(ARGV[5])
local line = record(path)
if not line then
  if call('ZSCORE', tree, entry(path)) then return { 'directory' } end
  return { 'none' }
end
local size, text = string.match(line, '^%S+ (%S+) %S+ %S+ (%S+)')
if text ~= '1' then return { 'binary' } end
local bytes = call('HGET', files, 'c' .. path)
if tonumber(size) <= small or offset + limit > countable then return { 'whole', line, bytes } end

local function skip(from, lines)
  local at, skipped = from, 0
  while skipped < lines and at <= #bytes do
    local newline = string.find(bytes, '\\n', at, true)
    at = newline and newline + 1 or #bytes + 1
    skipped = skipped + 1
  end
  return at, skipped
end

local start, before = skip(1, offset)
-- Past the end: the whole file tells how many lines it has.
if start > #bytes then return { 'whole', line, bytes } end
local stop, lines = skip(start, limit)
return { 'page', line, string.sub(bytes, start, stop - 1), string.format('%d', lines), stop > #bytes and '1' or '0' }
`);

/**
 * `needle, allowance, where to go on in the first file, paths…` → how many files are done, where to go on in the next,
 * then the number and the content of each file that has the needle.
 */
export const MATCH = new Script(`${PRELUDE}${SEARCH}
local needle, from = ARGV[1], tonumber(ARGV[3])
allowance = tonumber(ARGV[2])
local found = {}
for i = 4, #ARGV do
  if scanned > allowance then return { i - 4, 1, found } end
  local bytes = call('HGET', files, 'c' .. ARGV[i])
  if bytes then
    local at, cut = seek(bytes, needle, from)
    if cut then return { i - 4, cut, found } end
    if at then
      found[#found + 1] = i - 4
      found[#found + 1] = bytes
    end
  end
  from = 1
end
return { #ARGV - 3, 1, found }
`);
