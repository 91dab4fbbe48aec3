import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import net from "node:net";

/** The records of a name. */
export interface Zone {
  A?: string[];
  AAAA?: string[];
  /** 2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED. */
  rcode?: number;
  /** Sends no response. */
  silent?: boolean;
}

interface DnsServer {
  /** In the format of `DNS_SERVERS`. */
  address: string;
  /** Number of queries by `name/type`. */
  asked: Map<string, number>;
  stop(): void;
}

const TYPES: Record<number, "A" | "AAAA"> = { 1: "A", 28: "AAAA" };

/** A name server on loopback. A zone function is called for each query; unknown names do not exist. */
export async function startDns(
  zones: Record<string, Zone | ((asked: number) => Zone)>,
): Promise<DnsServer> {
  const asked = new Map<string, number>();
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => reply(query, from));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");

  function reply(query: Buffer, from: RemoteInfo) {
    const { name, type, end } = readQuestion(query);
    const kind = TYPES[type];
    const count = (asked.get(`${name}/${kind}`) ?? 0) + 1;
    asked.set(`${name}/${kind}`, count);
    const entry = zones[name];
    const zone = typeof entry === "function" ? entry(count) : entry;
    if (zone?.silent) return;
    const addresses = (kind && zone?.[kind]) ?? [];
    const rcode = zone ? (zone.rcode ?? 0) : 3;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | rcode, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(rcode === 0 ? addresses.length : 0, 6);
    header.writeUInt32BE(0, 8);
    const responses = rcode === 0 ? addresses.map((address) => record(type, address)) : [];
    socket.send(
      Buffer.concat([header, query.subarray(12, end), ...responses]),
      from.port,
      from.address,
    );
  }

  const { port } = socket.address();
  return { address: `127.0.0.1:${port}`, asked, stop: () => socket.close() };
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString("latin1"));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function record(type: number, address: string): Buffer {
  const data = net.isIPv6(address)
    ? ipv6Bytes(address)
    : Buffer.from(address.split(".").map(Number));
  const fixed = Buffer.alloc(12);
  fixed.writeUInt16BE(0xc00c, 0); // pointer to the question's name
  fixed.writeUInt16BE(type, 2);
  fixed.writeUInt16BE(1, 4);
  fixed.writeUInt32BE(0, 6);
  fixed.writeUInt16BE(data.length, 10);
  return Buffer.concat([fixed, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [left = "", right] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const head = groups(left);
  const tail = groups(right ?? "");
  const middle = right === undefined ? [] : Array<string>(8 - head.length - tail.length).fill("0");
  return Buffer.from(
    [...head, ...middle, ...tail].map((group) => group.padStart(4, "0")).join(""),
    "hex",
  );
}
