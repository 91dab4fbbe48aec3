import pg from "pg";

interface Connection {
  client: Promise<pg.Client> | undefined;
  running: number;
}

/**
 * A few connections that take statements while others run, in the pipeline mode of the protocol.
 * A statement waits for those before it on its connection, so all must be short.
 */
export class Pipelines {
  private readonly connections: Connection[];
  private readonly settings: pg.ClientConfig;
  private readonly prepareSession: string;

  constructor(count: number, settings: pg.ClientConfig, prepareSession: string) {
    this.connections = Array.from({ length: count }, () => ({ client: undefined, running: 0 }));
    this.settings = settings;
    this.prepareSession = prepareSession;
  }

  /** Runs a statement on the connection with the fewest running ones. */
  async query(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const connection = this.connections.reduce((least, one) =>
      one.running < least.running ? one : least,
    );
    connection.running++;
    try {
      connection.client ??= this.connect(connection);
      return await (await connection.client).query(statement);
    } finally {
      connection.running--;
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.connections.map(async ({ client }) => (await client)?.end()));
  }

  private async connect(connection: Connection): Promise<pg.Client> {
    const client = new pg.Client({ ...this.settings, pipeline: true });
    const forget = () => {
      connection.client = undefined;
    };
    client.on("error", forget);
    client.on("end", forget);
    try {
      await client.connect();
      await client.query(this.prepareSession);
      return client;
    } catch (error) {
      forget();
      throw error;
    }
  }
}
