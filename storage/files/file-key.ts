// The names of objects in R2: ids of the platform alone, so that a name says nothing about a person.

/** The beginning of the names of all objects of a tenant. */
export function tenantPrefix(tenantId: string): string {
  return `tenant/${tenantId}/`;
}

export function fileKey(tenantId: string, fileId: string): string {
  return `${tenantPrefix(tenantId)}file/${fileId}`;
}

const KEY = /^tenant\/(ten_[0-9a-z]{26})\/file\/(fil_[0-9a-z]{26})$/;

/** The ids in a name of {@link fileKey}; null for any other name. */
export function parseFileKey(key: string): { tenant_id: string; file_id: string } | null {
  const [, tenant_id, file_id] = KEY.exec(key) ?? [];
  return tenant_id !== undefined && file_id !== undefined ? { tenant_id, file_id } : null;
}
