/** The values of text columns that have a fixed set, by model. The database does not enforce them. */
export interface ValueSets {
  Invitation: { role: Role };
  Member: { role: Role };
  Task: { priority: "low" | "medium" | "high" | "critical" };
}

type Role = "owner" | "member";
