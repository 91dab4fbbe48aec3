import type pg from "pg";
import { oncePerProcess } from "@/lib/platform/process";
import { clientOn, type Models, modelsOf } from "./prisma";
import type { Client } from "./prisma-client";
import { type Db, send } from "./send";

/**
 * Seats kept for later transactions: at most as many as the pool has connections. A new one takes
 * two megabytes, which are freed late, and plans every statement again.
 */
const freeSeats = oncePerProcess("db.seats", (): Seat[] => []);

/** Prisma on the connection of one transaction at a time. */
class Seat {
  connection: Db | undefined;
  readonly client = clientOn((statement) => {
    if (!this.connection) throw new Error("The transaction is over.");
    return send(this.connection, statement);
  });
}

/** What `transaction()` passes to its work. It takes a seat only once a model is used. */
export class OpenTransaction implements Db {
  private seat: Seat | undefined;
  private isOver = false;
  private readonly connection: Db;

  constructor(connection: Db) {
    this.connection = connection;
  }

  query(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    return this.connection.query(statement);
  }

  async client(): Promise<Client> {
    if (this.isOver) throw new Error("The transaction is over.");
    this.seat ??= freeSeats.pop() ?? new Seat();
    this.seat.connection = this.connection;
    return this.seat.client;
  }

  end(): void {
    this.isOver = true;
    if (!this.seat) return;
    this.seat.connection = undefined;
    freeSeats.push(this.seat);
  }
}

// Every other property is a model. Only the generated client, which is large, has their names.
const models = new Proxy(
  {},
  {
    get: (_, name, tx: OpenTransaction) =>
      typeof name === "string" ? modelsOf(() => tx.client())[name as keyof Models] : undefined,
  },
);
Object.setPrototypeOf(OpenTransaction.prototype, models);

/** A transaction: Prisma's models, and SQL on the same connection. */
export type Transaction = Db & Models;
