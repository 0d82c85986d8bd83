// Makes the person at this machine a member of the demo's tenant: the owner "You".
import { readString, type LocalApi } from "./local-api.ts";

/** A folder of a version before members: its key lacks the scope, and the console opens by its link alone. */
const FORBIDDEN = 403;

/**
 * The address at which the owner signs in: with a link while no passkey is registered, which then replaces the link of the
 * start before. Null where the key may not invite anybody.
 */
export async function provisionOwner(tenant: LocalApi): Promise<string | null> {
  const { status, body } = await tenant.call("GET", "/v1/members?limit=100");
  if (status === FORBIDDEN) return null;
  const members = body?.["data"] as readonly Record<string, unknown>[];
  const owner = members.find(({ name, role, status: state }) => {
    return name === "You" && role === "owner" && state !== "removed";
  });
  if (!owner) {
    const invited = await tenant.call("POST", "/v1/members", { name: "You", role: "owner" });
    return readString(invited, "url");
  }
  if (owner["status"] === "active") return null;
  return readString(
    await tenant.call("POST", `/v1/members/${String(owner["id"])}/link`, {}),
    "url",
  );
}
