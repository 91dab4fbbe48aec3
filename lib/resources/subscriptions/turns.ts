import { setBounded } from "@/lib/platform/set-bounded";

/** How many subscriptions are advanced at once. An organization leaves the last place to another. */
const AT_ONCE = 4;
/** How many organizations and subscriptions are remembered by their last turn. */
const REMEMBERED_MAX = 10_000;

interface Pushed {
  id: string;
  organization_id: string;
}

/** Whose turn it is. A turn that takes long keeps its place, and others go on beside it. */
export class Turns {
  readonly #running = new Map<string, { organizationId: string; ended: Promise<void> }>();
  /** The last turn of each organization and subscription, by ID. */
  readonly #last = new Map<string, number>();
  #count = 0;

  isRunning({ id }: Pushed): boolean {
    return this.#running.has(id);
  }

  /**
   * Of the organization with the fewest running, and among those, of the one whose last turn was longest
   * ago, the subscription whose last turn was longest ago. Undefined if there is no place for any.
   */
  next<One extends Pushed>(waiting: Iterable<One>): One | undefined {
    const left = AT_ONCE - this.#running.size;
    if (left === 0) return undefined;
    let next: { one: One; running: number; ofOrganization: number; own: number } | undefined;
    for (const one of waiting) {
      const { id, organization_id } = one;
      const running = this.#countOf(organization_id);
      if (left === 1 && running > 0) continue;
      const ofOrganization = this.#last.get(organization_id) ?? 0;
      const own = this.#last.get(id) ?? 0;
      const difference = next
        ? running - next.running || ofOrganization - next.ofOrganization || own - next.own
        : -1;
      if (difference < 0) next = { one, running, ofOrganization, own };
    }
    return next?.one;
  }

  /** Runs `work`, which never throws, as the turn of one that waited. */
  async run({ id, organization_id }: Pushed, work: () => Promise<void>): Promise<void> {
    this.#count += 1;
    for (const key of [id, organization_id]) {
      setBounded(this.#last, key, this.#count, REMEMBERED_MAX);
    }
    const ended = work().finally(() => this.#running.delete(id));
    this.#running.set(id, { organizationId: organization_id, ended });
    await ended;
  }

  /** Resolves once the next turn has ended. */
  async nextEnd(): Promise<void> {
    await Promise.race([...this.#running.values()].map(({ ended }) => ended));
  }

  #countOf(organizationId: string): number {
    let count = 0;
    for (const one of this.#running.values()) if (one.organizationId === organizationId) count += 1;
    return count;
  }
}
