import { keyIdOf } from "../../storage/secrets/key-id.ts";
import { acceptedValues, type RotatedSecret } from "../../storage/secrets/rotated-secret.ts";
import { isSameSecret } from "./key-secrets.ts";

/**
 * The id of the operator's key that this is, null when it is none. It is compared with each of them, in constant time,
 * whichever fits.
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
