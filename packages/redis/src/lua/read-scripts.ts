import { PRELUDE, SEARCH } from "./prelude.js";
import { Script } from "../script.js";

/** `path` → `file record`, `directory`, or `none`. */
export const STAT = new Script(`${PRELUDE}
local path = ARGV[1]
local line = record(path)
if line then return { 'file', line } end
if is_directory(path) then return { 'directory' } end
return { 'none' }
`);

/**
 * `directory, where to go on ('' at first), limit, beginning of the paths that count ('' for all), their ends (none for all)` →
 * where to go on ('' at the end), paths of files below, as many records. `limit` paths are looked at.
 */
export const BELOW = new Script(`${PRELUDE}
local _, low, high = below(ARGV[1])
if ARGV[4] ~= '' then
  local first = member(ARGV[4])
  low, high = '[' .. first, '(' .. first .. '\\255'
end
if ARGV[2] ~= '' then low = ARGV[2] end
local ends = {}
for i = 5, #ARGV do ends[#ends + 1] = member(ARGV[i]) end
local function counts(name)
  for _, tail in ipairs(ends) do
    if string.sub(name, -#tail) == tail then return true end
  end
  return #ends == 0
end
local limit = tonumber(ARGV[3])
local names = call('ZRANGEBYLEX', paths, low, high, 'LIMIT', 0, limit)
local found, fields = {}, {}
for _, name in ipairs(names) do
  if counts(name) then
    found[#found + 1] = path_of(name)
    fields[#found] = 'm' .. found[#found]
  end
end
local next = #names < limit and '' or '(' .. names[#names]
if #found == 0 then return { next, {}, {} } end
return { next, found, call('HMGET', files, unpack(fields)) }
`);

/** As `BELOW` for the children of a directory; a directory among them has no record. Leaps over what lies deeper. */
export const CHILDREN = new Script(`${PRELUDE}
local prefix, low, high = below(ARGV[1])
if ARGV[2] ~= '' then low = ARGV[2] end
local limit = tonumber(ARGV[3])
local found, fields, ask = {}, {}, 1
while low ~= '' and #found < limit do
  local names = call('ZRANGEBYLEX', paths, low, high, 'LIMIT', 0, ask)
  local ended = #names < ask
  ask = math.min(2 * ask, 128)
  for _, name in ipairs(names) do
    local slash = string.find(name, '/', #prefix + 1, true)
    local child = slash and string.sub(name, 1, slash - 1) or name
    found[#found + 1] = path_of(child)
    fields[#fields + 1] = 'm' .. found[#found]
    if slash then
      low, ask, ended = '[' .. child .. '0', 1, false
      break
    end
    low = '(' .. name
  end
  if ended then low = '' end
end
if #found == 0 then return { '', {}, {} } end
return { low, found, call('HMGET', files, unpack(fields)) }
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
  if is_directory(path) then return { 'directory' } end
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

const LOOK = `
local needle, from, most = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
allowance = tonumber(ARGV[2])
local found = {}

-- Looks into one file: nothing when it is done, or where to go on in it.
local function look(path)
  local bytes = call('HGET', files, 'c' .. path)
  if bytes then
    local at, cut = seek(bytes, needle, from)
    if cut then return cut end
    if at then
      found[#found + 1] = path
      found[#found + 1] = bytes
    end
  end
  from = 1
  return nil
end

local function enough() return scanned > allowance or #found >= 2 * most end
`;

/**
 * `needle, allowance, where to go on in the first file, files wanted, paths…` → how many files are done, where to go on in
 * the next, then path and content of each file that has the needle.
 */
export const MATCH_FILES = new Script(`${PRELUDE}${SEARCH}${LOOK}
for i = 5, #ARGV do
  if enough() then return { i - 5, 1, found } end
  local cut = look(ARGV[i])
  if cut then return { i - 5, cut, found } end
end
return { #ARGV - 4, 1, found }
`);

/**
 * `needle, allowance, where to go on in the first file, files wanted, directory, where to go on ('' at first), files` →
 * where to go on ('' at the end), where in that file, then path and content of each file below that has the needle.
 */
export const MATCH_BELOW = new Script(`${PRELUDE}${SEARCH}${LOOK}
local _, low, high = below(ARGV[5])
if ARGV[6] ~= '' then low = ARGV[6] end
local names = call('ZRANGEBYLEX', paths, low, high, 'LIMIT', 0, ARGV[7])
for _, name in ipairs(names) do
  if enough() then return { low, 1, found } end
  local cut = look(path_of(name))
  if cut then return { '[' .. name, cut, found } end
  low = '(' .. name
end
if #names < tonumber(ARGV[7]) then low = '' end
return { low, 1, found }
`);
