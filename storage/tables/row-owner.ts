/** In place of a tenant's id, in rows that are the operator's own: members, providers, entries of the audit. No tenant has it. */
export const OPERATOR_ROWS = "operator";
