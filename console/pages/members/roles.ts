/** Roles with their words, as a choice shows them. */
export type RoleWords = readonly (readonly [string, string])[];

export const ROLES: RoleWords = [
  ["approver", "Approver: reads, and answers calls that wait"],
  ["viewer", "Viewer: reads"],
  ["developer", "Developer: everything but people, keys and bypassing permissions"],
  ["owner", "Owner: everything"],
];

export const OPERATOR_ROLES: RoleWords = [
  ["support", "Support: reads tenants, what they use and the health"],
  ["administrator", "Administrator: everything but the operator’s people"],
  ["owner", "Owner: everything"],
];
