import { cell } from "./read-cell.ts";

/** A request that rotates a secret, with another one. */
export async function secretRotation(table: "inbound_endpoints" | "webhook_endpoints", id: string) {
  const sealed = await cell(`SELECT sealed AS value FROM ${table} WHERE id = ?`, id);
  return {
    json: { overlap_ms: 60_000 },
    other: { overlap_ms: 1_000 },
    secrets: ["secret"],
    count: async () => {
      const old = await cell(`SELECT old_sealed AS value FROM ${table} WHERE id = ?`, id);
      return old === sealed ? 1 : 2;
    },
  };
}
