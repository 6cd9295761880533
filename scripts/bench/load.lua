-- Sends requests from a file in random order, and says at the end what came of them:
--   wrk … -s load.lua <address> -- <file> <seed>
-- A line of the file is a method, a path and an API key or "-". PATCH sets a new title each time.

local NEW = "@@@@@@@@"
local requests = {}
local rest
local threads = 0
local random, format = math.random, string.format

function setup(thread)
   threads = threads + 1
   thread:set("number", threads)
end

function init(args)
   math.randomseed(tonumber(args[2]) + number)
   for line in io.lines(args[1]) do
      local method, path, key = line:match("^(%S+) (%S+) (%S+)$")
      local headers = { ["Accept"] = "image/avif,image/webp,*/*" }
      local body
      if key ~= "-" then headers["Authorization"] = "Bearer " .. key end
      if method == "PATCH" then
         headers["Content-Type"] = "application/json"
         body = '{"title":"Evening ' .. NEW .. '"}'
      end
      local made = wrk.format(method, path, headers, body)
      if method == "PATCH" then
         -- All end alike, so that a new title costs next to nothing: whatever the load tool
         -- takes of the processor, the server does not get.
         local head, tail = made:match("^(.*)" .. NEW .. "(.*)$")
         made, rest = head, tail
      end
      requests[#requests + 1] = made
   end
   if rest then request = patch end
end

function request()
   return requests[random(#requests)]
end

function patch()
   local title = random(10 ^ #NEW) - 1
   return format("%s%08d%s", requests[random(#requests)], title, rest)
end

function done(summary, latency)
   local errors = summary.errors
   local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
   io.write(string.format(
      '\nresult {"requests":%d,"micros":%d,"bytes":%d,"failed":%d,"median":%d,"p99":%d,"max":%d}\n',
      summary.requests, summary.duration, summary.bytes, failed,
      latency:percentile(50), latency:percentile(99), latency.max))
end
