// The tenant in whose console a member has signed in here last: where the page of an ended session leads back to.
const KEY = "reprise.members-tenant";

export function readMembersTenant(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @param tenantId Null after a sign-in by a key's link. */
export function keepMembersTenant(tenantId: string | null): void {
  try {
    if (tenantId === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, tenantId);
  } catch {
    // Storage may be switched off: then the page says how a link is made.
  }
}
