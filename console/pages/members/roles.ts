import type { MemberRole } from "../../../sdk/index.ts";

/** Roles with their words, as a choice shows them. */
export const ROLES: readonly (readonly [MemberRole, string])[] = [
  ["approver", "Approver: reads, and answers calls that wait"],
  ["viewer", "Viewer: reads"],
  ["developer", "Developer: everything but people, keys and bypassing permissions"],
  ["owner", "Owner: everything"],
];
