// A browser, as far as the console's sign-in needs one: it keeps a cookie, and says where its requests come from.
import type { ConsoleAccess, CreatedConsoleLink } from "../../../protocol/console/contract.ts";
import { ask, makeTenant, OPERATOR, type Answer, type Call } from "../support/api.ts";
import type { Problem } from "../../../protocol/problem.ts";

const ORIGIN = "https://api.test";

export class Browser {
  readonly path: "/console" | "/operator";
  /** That of the console session. */
  cookie: string | undefined;
  /** Others, by their names, with the path below which they are sent. */
  readonly jar = new Map<string, { readonly value: string; readonly path: string }>();

  constructor(path: "/console" | "/operator" = "/console") {
    this.path = path;
  }

  /** A post of a page of the console. @param headers Of another page; undefined ones are left out. */
  async post<Body = Problem>(
    name:
      | "link"
      | "session"
      | "token"
      | "sign-out"
      | "member-link"
      | "member-session"
      | "passkey-challenge"
      | "passkey-session"
      | "sign-in-choices"
      | "provider-sign-in/begin"
      | "provider-sign-in/complete",
    json: object = {},
    headers: Readonly<Record<string, string | undefined>> = {},
    bindings?: Env,
  ): Promise<Answer<Body>> {
    const sent = {
      Origin: ORIGIN,
      "Sec-Fetch-Site": "same-origin",
      Cookie: this.#cookiesFor(`${this.path}/${name}`),
      ...headers,
    };
    const answer = await ask<Body>("POST", `${this.path}/${name}`, {
      json,
      headers: Object.fromEntries(
        Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      bindings,
    });
    for (const set of answer.headers.getSetCookie()) this.#keep(set);
    return answer;
  }

  #cookiesFor(path: string): string | undefined {
    const others = [...this.jar].filter(([, cookie]) => path.startsWith(cookie.path));
    const all = [
      ...(this.cookie ? [this.cookie] : []),
      ...others.map(([name, { value }]) => `${name}=${value}`),
    ];
    return all.length > 0 ? all.join("; ") : undefined;
  }

  #keep(set: string): void {
    const [pair = "", ...attributes] = set.split("; ");
    const [name = "", value = ""] = pair.split("=");
    if (name.endsWith("reprise_console")) {
      this.cookie = pair;
    } else if (attributes.includes("Max-Age=0")) {
      this.jar.delete(name);
    } else {
      const path = attributes.find((one) => one.startsWith("Path="))?.slice("Path=".length) ?? "/";
      this.jar.set(name, { value, path });
    }
  }

  signIn(link: Pick<CreatedConsoleLink, "url">, bindings?: Env): Promise<Answer<Problem>> {
    return this.post("session", { secret: secretOf(link) }, {}, bindings);
  }

  /** The call by which the page exchanges its cookie for a token. */
  async exchange(): Promise<Call & ConsoleAccess> {
    const { json } = await this.post<ConsoleAccess>("token");
    return { ...json, key: json.token };
  }
}

export function secretOf({ url }: Pick<CreatedConsoleLink, "url">): string {
  return new URL(url).hash.slice(1);
}

export async function makeLink(call: Call, body: object = {}): Promise<CreatedConsoleLink> {
  return (await ask<CreatedConsoleLink>("POST", "/v1/console-links", { ...call, json: body })).json;
}

/** A tenant, and a browser that is signed in to its console. */
export async function openConsole(body: object = {}) {
  const tenant = await makeTenant();
  const link = await makeLink(tenant.call, body);
  const browser = new Browser();
  const signedIn = await browser.signIn(link);
  return { tenant, link, browser, signedIn };
}

export async function openOperatorConsole() {
  const browser = new Browser("/operator");
  const link = await makeLink(OPERATOR);
  await browser.signIn(link);
  return { browser, link };
}

/** The members that tell refusals of the console apart. */
export function reasonOf({ status, json }: Answer<unknown>) {
  const { code, reason } = json as { readonly code?: string; readonly reason?: string };
  return { status, code, reason };
}
