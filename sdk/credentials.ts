import type { Credential, CredentialCreate } from "../protocol/api/credentials.ts";
import type { RequestOptions } from "./api-request.ts";
import type { ListQuery, Paged } from "./paged.ts";
import type { Transport } from "./transport.ts";

/** Secrets that agents use towards models and tools. They go in and never come out again. */
export class Credentials {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(credential: CredentialCreate, options?: RequestOptions): Promise<Credential> {
    return this.#transport.create(["credentials"], credential, options);
  }

  list(query?: ListQuery, options?: RequestOptions): Paged<Credential> {
    return this.#transport.list(["credentials"], { ...query }, options);
  }

  async delete(id: string, options?: RequestOptions): Promise<void> {
    await this.#transport.delete(["credentials", id], options);
  }
}
