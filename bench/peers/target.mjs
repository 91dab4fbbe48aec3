// node bench/peers/target.mjs PORT: responds to every POST at once. GET /arrivals gives the times of those
// since the last GET, in milliseconds.
import { createServer } from "node:http";

let arrivals = [];
createServer((request, response) => {
  if (request.method === "GET") {
    const body = JSON.stringify(arrivals);
    arrivals = [];
    response.writeHead(200, { "Content-Length": Buffer.byteLength(body) });
    response.end(body);
    return;
  }
  request.resume();
  request.on("end", () => {
    arrivals.push(performance.now());
    response.end("ok");
  });
}).listen(Number(process.argv[2]), "127.0.0.1");
