import { route } from "@/lib/api/route";
import { getTaskLease, releaseTaskLease, takeTaskLease } from "@/lib/tasks/lease-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  getTaskLease,
  takeTaskLease,
  releaseTaskLease,
);
