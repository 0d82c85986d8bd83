// A client's secret as HTTP Basic: as a form writes it, and as it is where a form changes nothing.
import { expect, it } from "vitest";

import { clientSecretBasic } from "../../../outgoing/oauth/client-secret-basic.ts";

async function said(client_id: string, secret: string): Promise<string> {
  const headers = new Headers();
  const server = { issuer: "https://login.example" };
  await clientSecretBasic(secret)(server, { client_id }, new URLSearchParams(), headers);
  return atob((headers.get("authorization") ?? "").slice("Basic ".length));
}

it("a server that compares without decoding knows plain names", async () => {
  expect(await said("my-client_1.example", "a-b_c.d*e")).toBe("my-client_1.example:a-b_c.d*e");
});

it("what would end the name, and what no header holds, is escaped", async () => {
  expect(await said("a:b c", "50%+ü")).toBe("a%3Ab+c:50%25%2B%C3%BC");
});
