// The OpenID providers of the tests in workerd, which cannot listen themselves.
import type { TestProject } from "vitest/node";

import { startOidcServer } from "./oidc-provider.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Without a slash at its end: an issuer is this and a name. */
    readonly oidcServerUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startOidcServer();
  project.provide("oidcServerUrl", server.url);
  return () => server.stop();
}
