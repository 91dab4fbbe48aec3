import { route } from "@/lib/api/route";
import {
  getTaskLease,
  releaseTaskLease,
  takeTaskLease,
} from "@/lib/resources/tasks/lease-operations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  getTaskLease,
  takeTaskLease,
  releaseTaskLease,
);
