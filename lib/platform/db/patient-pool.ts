import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { Client } from "./client";
import { codeOf, mayBeReadOnly } from "./failures";
import { connectMsMax } from "./time-limits";

const TOO_MANY_CONNECTIONS = "53300";
const STARTING = "57P03";
const RETRY_MS = 50;
/** How long a pool stops growing after Postgres has refused a connection. */
const SHORTAGE_MS = 2000;
/** How long a pool keeps an idle connection after a refusal. */
const SCARCE_IDLE_MS = 1000;

type Callback = Parameters<pg.Pool["connect"]>[0];

/**
 * A pool that waits where `pg.Pool` fails: while Postgres is starting or has no connection left, it
 * waits for one of its own to be free, or retries, for as long as it would wait for a free
 * connection.
 */
export class PatientPool extends pg.Pool {
  private readonly wanted: number;
  private shortage: NodeJS.Timeout | undefined;
  private readonly connectedAt = new WeakMap<pg.PoolClient, number>();

  constructor(config: pg.PoolConfig & { max: number }) {
    super({ ...config, Client });
    this.wanted = config.max;
    this.on("connect", (client) => this.connectedAt.set(client, performance.now()));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const connecting = this.connectPatiently();
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  private async connectPatiently(): Promise<pg.PoolClient> {
    const deadline = performance.now() + connectMsMax();
    for (;;) {
      this.options.connectionTimeoutMillis = connectMsMax();
      try {
        const client = await super.connect();
        if (!mayBeReadOnly(this.connectedAt.get(client) ?? 0)) return client;
        client.release(true);
      } catch (error) {
        const code = codeOf(error);
        const mayPass = code === TOO_MANY_CONNECTIONS || code === STARTING;
        if (!mayPass || performance.now() > deadline) throw error;
        if (code === TOO_MANY_CONNECTIONS) this.shrink();
        // Keeps the pools of several servers from retrying at the same moment.
        await pause(RETRY_MS * (0.5 + Math.random()));
      }
    }
  }

  /**
   * Stops growing and uses the connections it has. On the first refusal it releases one connection,
   * so that another server is not starved, and from then on closes idle connections early.
   */
  private shrink() {
    const { totalCount } = this;
    const isNew = this.shortage === undefined;
    this.options.max = Math.max(isNew ? totalCount - 1 : totalCount, 1);
    this.options.idleTimeoutMillis = SCARCE_IDLE_MS;
    if (!isNew) return;
    this.shortage = setTimeout(() => {
      this.options.max = this.wanted;
      this.shortage = undefined;
    }, SHORTAGE_MS).unref();
    if (totalCount > 1)
      super
        .connect()
        .then((client) => client.release(true))
        .catch(() => {});
  }
}
