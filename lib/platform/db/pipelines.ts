import pg from "pg";
import { Client } from "./client";
import { isDistributed, PLANS_WHEN_DISTRIBUTED } from "./distribution";
import { mayBeReadOnly } from "./failures";
import { connectMsMax } from "./time-limits";

/** Networks silently drop connections that are idle for longer. */
const IDLE_MS = 60_000;
/** The pause after a refused connection. */
const RETRY_MS = 10_000;

interface Connection {
  client: Promise<pg.Client> | undefined;
  connectedAt: number;
  running: number;
  /** When its last statement started. */
  usedAt: number;
}

/**
 * A few connections that use the protocol's pipeline mode to send statements while others run. Each
 * statement waits for those before it on its connection, so all must be short. If connections are
 * refused, statements go to the pool.
 */
export class Pipelines {
  private readonly connections: Connection[];
  private readonly settings: pg.ClientConfig;
  private readonly pool: pg.Pool;
  private readonly sharePackets: boolean;
  private refusedUntil = 0;
  /** The connection of this turn, if its statements share a packet. */
  private ofThisTurn: Connection | undefined;

  /** With `sharePackets`, the statements of one turn of the event loop go to one connection. */
  constructor(
    count: number,
    settings: pg.ClientConfig,
    pool: pg.Pool,
    { sharePackets }: { sharePackets: boolean },
  ) {
    this.connections = Array.from({ length: count }, () => ({
      client: undefined,
      connectedAt: 0,
      running: 0,
      usedAt: 0,
    }));
    this.settings = settings;
    this.pool = pool;
    this.sharePackets = sharePackets;
  }

  /** Runs a statement on the connection with the fewest running ones. */
  async query(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const connection = this.ofThisTurn ?? this.leastBusy();
    if (this.sharePackets && !this.ofThisTurn) {
      this.ofThisTurn = connection;
      process.nextTick(() => {
        this.ofThisTurn = undefined;
      });
    }
    const isIdle = connection.running === 0 && performance.now() - connection.usedAt > IDLE_MS;
    if (isIdle || mayBeReadOnly(connection.connectedAt)) {
      connection.client?.then((client) => client.end()).catch(() => {});
      connection.client = undefined;
    }
    connection.running++;
    connection.usedAt = performance.now();
    try {
      const client = await this.clientOf(connection);
      if (!client) return await this.pool.query(statement);
      // A lone statement leaves at once, so that Postgres works while the request goes on.
      if (connection.running > 1) {
        const { stream } = client.connection;
        stream.cork();
        process.nextTick(() => stream.uncork());
      }
      return await client.query(statement);
    } finally {
      connection.running--;
    }
  }

  private leastBusy(): Connection {
    return this.connections.reduce((least, one) => (one.running < least.running ? one : least));
  }

  /** Waits for no reply, as a pool does: a silent server never confirms the end. */
  end(): void {
    for (const { client } of this.connections) client?.then((one) => one.end()).catch(() => {});
  }

  /** Undefined if the server, or a pooler in front of it, refuses the connection. */
  private async clientOf(connection: Connection): Promise<pg.Client | undefined> {
    if (!connection.client && performance.now() < this.refusedUntil) return undefined;
    if (!connection.client) {
      connection.connectedAt = performance.now();
      connection.client = this.connect(connection);
    }
    return connection.client.catch((error) => {
      if (!(error instanceof pg.DatabaseError)) throw error;
      this.refusedUntil = performance.now() + RETRY_MS;
      return undefined;
    });
  }

  private connect(connection: Connection): Promise<pg.Client> {
    const client = new Client({
      ...this.settings,
      connectionTimeoutMillis: connectMsMax(),
      pipeline: true,
      keepAlive: true,
    });
    const connecting = client
      .connect()
      .then(() => isDistributed(client))
      .then(async (is) => {
        if (is) await client.query(`SET plan_cache_mode = ${PLANS_WHEN_DISTRIBUTED}`);
        return client;
      });
    const forget = () => {
      // An old client ends after its successor exists.
      if (connection.client === connecting) connection.client = undefined;
      client.end().catch(() => {});
    };
    client.on("error", forget);
    client.on("end", forget);
    connecting.catch(forget);
    return connecting;
  }
}
