-- Sends requests from a file in random order, and says at the end what came of them:
--   wrk … -s load.lua <address> -- <file> <seed>
-- A line of the file is a method, a path and an API key or "-". PATCH sets a new title each time.

local NEW = "@@@@@@@@"
local requests = {}
local threads = 0

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
      requests[#requests + 1] = wrk.format(method, path, headers, body)
   end
   if requests[1]:sub(1, 5) == "PATCH" then request = patch end
end

function request()
   return requests[math.random(#requests)]
end

function patch()
   local title = string.format("%0" .. #NEW .. "d", math.random(10 ^ #NEW) - 1)
   return (requests[math.random(#requests)]:gsub(NEW, title))
end

function done(summary, latency)
   local errors = summary.errors
   local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
   io.write(string.format(
      '\nresult {"requests":%d,"micros":%d,"bytes":%d,"failed":%d,"median":%d,"p99":%d,"max":%d}\n',
      summary.requests, summary.duration, summary.bytes, failed,
      latency:percentile(50), latency:percentile(99), latency.max))
end
