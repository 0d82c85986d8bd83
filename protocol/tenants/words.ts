// Words of fields that the schemas of this room have.
export const TENANT_WORDS = {
  "Tenant.status":
    "`suspended` refuses every credential of the tenant and keeps its data; `closed` is final.",
} as const;
