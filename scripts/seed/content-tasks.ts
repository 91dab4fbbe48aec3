import type { TaskCreate } from "@/lib/resources/tasks/contract";

/** The tasks of a small warehouse and its agents. */
export const TASKS: (Omit<TaskCreate, "due_at" | "external_id"> & { dueInHours?: number })[] = [
  {
    name: "Reconcile the October payouts with the ledger",
    description:
      "Three payouts differ by less than a cent. Find out whether it is rounding or a missing fee.",
    priority: "critical",
    dueInHours: 5,
    labels: ["finance", "in-progress"],
  },
  {
    name: "Answer the supplier about pallet sizes",
    priority: "high",
    dueInHours: -20,
    labels: ["purchasing"],
  },
  {
    name: "Translate the release notes into Portuguese",
    priority: "medium",
    dueInHours: 30,
    labels: ["docs", "in-progress"],
  },
  {
    name: "Re-train the picker model on the new bins",
    priority: "high",
    dueInHours: 74,
    labels: ["robotics"],
  },
  {
    name: "Rotate the carrier’s API credentials",
    priority: "critical",
    dueInHours: -2,
    labels: ["security"],
  },
  { name: "Check why belt 4 stops at noon", priority: "high", labels: ["robotics", "in-progress"] },
  { name: "Photograph the new packaging", priority: "low", labels: ["marketing", "done"] },
  {
    name: "Book a slot for the forklift inspection",
    priority: "medium",
    dueInHours: 200,
    labels: ["compliance", "done"],
  },
  {
    name: "Summarise support tickets of last week",
    priority: "medium",
    labels: ["support", "done"],
  },
  { name: "Ask the night shift about the noise at dock 3", priority: "low", labels: ["warehouse"] },
  {
    name: "Reply to the tender of the city hospital",
    description: "Two pages at most. They ask for delivery times on public holidays.",
    priority: "high",
    dueInHours: 51,
    labels: ["sales", "in-progress"],
  },
  {
    name: "Label the 40 misread shipping photos",
    priority: "medium",
    labels: ["robotics", "done"],
  },
  { name: "Cancel the duplicate order 1042", priority: "high", labels: ["support", "done"] },
  {
    name: "Measure aisle 7 for the wider shelves",
    priority: "low",
    dueInHours: 400,
    labels: ["warehouse"],
  },
  {
    name: "Explain the refund rules to the support agent",
    description: "It asks a person far too often. The three cases from last week are in the inbox.",
    priority: "medium",
    dueInHours: 20,
    labels: ["support"],
  },
];
