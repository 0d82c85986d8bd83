import type {
  SignInProvider,
  SignInProviderCreate,
} from "../../protocol/sign-in-providers/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { Transport } from "../transport/transport.ts";
import { collection, type Collection } from "./collection.ts";

/** OpenID providers at which the tenant's members sign in to the console. */
export interface SignInProviders extends Omit<
  Collection<SignInProvider, SignInProviderCreate>,
  "update" | "delete"
> {
  /** Returns it as it was: `member_count` members sign in no more, and need a new link. */
  delete(id: string, options?: RequestOptions): Promise<SignInProvider>;
}

export function signInProvidersOf(transport: Transport): SignInProviders {
  return {
    ...collection<SignInProvider, SignInProviderCreate>(transport, "sign-in-providers"),
    delete: (id, options) =>
      transport.call({ ...options, method: "DELETE", path: ["sign-in-providers", id] }),
  };
}
