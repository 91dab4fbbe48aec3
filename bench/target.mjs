// node bench/target.mjs PORT: answers every POST at once. GET /arrivals gives what has come since the last
// time, as [webhook-id, milliseconds since 1970].
import { createServer } from "node:http";

let arrivals = [];
createServer((request, response) => {
  if (request.method === "GET") {
    response.end(JSON.stringify(arrivals));
    arrivals = [];
    return;
  }
  request.resume();
  request.on("end", () => {
    arrivals.push([request.headers["webhook-id"] ?? "", Date.now()]);
    response.end("ok");
  });
}).listen(Number(process.argv[2]), "127.0.0.1");
