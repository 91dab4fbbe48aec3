import type pg from "pg";
import { oncePerProcess } from "@/lib/platform/process";
import { Prisma } from "./generated/client";
import { type Client, clientOn } from "./prisma";
import { type Db, send } from "./send";

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

  get client(): Client {
    if (this.isOver) throw new Error("The transaction is over.");
    this.seat ??= freeSeats().pop() ?? new Seat();
    this.seat.connection = this.connection;
    return this.seat.client;
  }

  end(): void {
    this.isOver = true;
    if (!this.seat) return;
    this.seat.connection = undefined;
    freeSeats().push(this.seat);
  }
}

/**
 * Seats kept for later transactions: at most as many as the pool has connections. A new one takes
 * two megabytes, which are freed late, and plans every statement again.
 */
function freeSeats() {
  return oncePerProcess("db.seats", (): Seat[] => []);
}

type Model = Uncapitalize<Prisma.ModelName>;

for (const name of Object.keys(Prisma.ModelName)) {
  const model = `${name.charAt(0).toLowerCase()}${name.slice(1)}` as Model;
  Object.defineProperty(OpenTransaction.prototype, model, {
    get(this: OpenTransaction) {
      return this.client[model];
    },
  });
}

/** A transaction: Prisma's models, and SQL on the same connection. */
export type Transaction = Db & Pick<Client, Model>;
