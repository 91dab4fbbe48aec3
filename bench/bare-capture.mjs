// The yardstick: node:http and pg, one INSERT of the same row for each request.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";

const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10 });

createServer(async (request, response) => {
  if (request.method === "GET") return response.end(); // the start of the run asks whether it is up
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const path = request.url ?? "/";
  const eventId = `wev_${Date.now().toString(36)}${randomBytes(12).toString("hex")}`;
  await pool.query({
    name: "capture",
    text: `INSERT INTO webhook_events
             (endpoint_id, id, method, path, query_string, headers, body, size_bytes, source_ip)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      path.slice("/api/catch/".length),
      eventId,
      request.method,
      path,
      "",
      JSON.stringify(request.headers),
      body,
      body.length,
      request.socket.remoteAddress,
    ],
  });
  const answer = JSON.stringify({ received: true, event_id: eventId });
  response.writeHead(200, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(answer),
  });
  response.end(answer);
}).listen(Number(port), "127.0.0.1");
