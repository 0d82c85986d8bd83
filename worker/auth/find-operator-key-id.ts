import { keyIdOf } from "../../storage/secrets/key-id.ts";
import { acceptedValues, type RotatedSecret } from "../../storage/secrets/rotated-secret.ts";
import { isSameSecret } from "./key-secrets.ts";

/**
 * The id of the matching operator key, or null. Compared with each key in constant time, regardless of which one
 * matches.
 */
export async function findOperatorKeyId(
  given: string,
  operatorKey: RotatedSecret,
): Promise<string | null> {
  const values = acceptedValues(operatorKey).filter((value) => value !== "");
  const fits = await Promise.all(values.map((value) => isSameSecret(given, value)));
  const found = values.find((_, index) => fits[index]);
  return found === undefined ? null : keyIdOf(found);
}
