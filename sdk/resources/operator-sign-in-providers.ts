import type {
  OperatorSignInProvider,
  OperatorSignInProviderCreateSchema,
} from "../../protocol/sign-in-providers/operator-contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { Transport } from "../transport/transport.ts";
import { collection, type Collection } from "./collection.ts";

type NewProvider = InputOf<typeof OperatorSignInProviderCreateSchema>;

/** OpenID providers at which the operator's own people sign in; requires the operator's key. */
export interface OperatorSignInProviders extends Omit<
  Collection<OperatorSignInProvider, NewProvider>,
  "update" | "delete"
> {
  /** Returns it as it was: `member_count` people sign in no more, and need a new link. */
  delete(id: string, options?: RequestOptions): Promise<OperatorSignInProvider>;
}

export function operatorSignInProvidersOf(transport: Transport): OperatorSignInProviders {
  const path = ["operator", "sign-in-providers"];
  return {
    ...collection<OperatorSignInProvider, NewProvider>(transport, ...path),
    delete: (id, options) => transport.call({ ...options, method: "DELETE", path: [...path, id] }),
  };
}
