// A browser at the console of a tenant of its own, which notes everything that a page must not do.
import type { Browser, Locator, Page } from "playwright-core";
import { expect, inject } from "vitest";

import { Reprise } from "../../../sdk/index.ts";
import { HANG_LIMITS } from "../../support/hang-limits.ts";
import { takePage } from "./browser-pages.ts";

export interface OpenedPage {
  readonly page: Page;
  /** Dialogs, failed scripts, breaches of the policy and errors on the console, as they happened. */
  readonly misdeeds: readonly string[];
}

/** Answers of the platform that a test asks for: the browser prints each as an error. */
const ASKED_FOR = /the server responded with a status of 40[01349]/;

interface PageOptions {
  readonly width?: number;
  /** For a tool of the test that has to run in the page. */
  readonly bypassCSP?: boolean;
  /** The platform; the one that all tests share when left out. */
  readonly baseUrl?: string;
}

/** A page in a profile of its own, which has nothing. */
export async function openPage(
  browser: Browser,
  { width = 1_280, bypassCSP = false, baseUrl }: PageOptions = {},
): Promise<OpenedPage> {
  return watch(await takePage(browser, { width, bypassCSP }), baseUrl);
}

export async function watch(page: Page, baseUrl: string = inject("baseUrl")): Promise<OpenedPage> {
  const misdeeds: string[] = [];
  page.setDefaultTimeout(HANG_LIMITS.expect.poll.timeout);
  page.on("dialog", (dialog) => {
    misdeeds.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => misdeeds.push(`error: ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !ASKED_FOR.test(text)) misdeeds.push(`console: ${text}`);
  });
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    const isOwn = origin === new URL(baseUrl).origin;
    if (!isOwn && protocol !== "data:" && protocol !== "blob:") {
      misdeeds.push(`request: ${request.url()}`);
    }
  });
  return { page, misdeeds };
}

/** A tenant of the test's own, with its key and a client. */
export async function makeTenant(name = "Shoe shop") {
  const operator = new Reprise({ baseUrl: inject("baseUrl"), apiKey: inject("operatorKey") });
  const { id, api_key } = await operator.tenants.create({ name });
  const reprise = new Reprise({ baseUrl: inject("baseUrl"), apiKey: api_key });
  return { id, apiKey: api_key, reprise, operator };
}

/**
 * Signs in with the request that the page of the link makes, and is at the list of sessions; with the operator's link, at
 * that of tenants. The page itself is tested in `sign-in.test.ts`: to load it, and the home page behind it, in each test
 * proves nothing more.
 */
export async function signIn(page: Page, link: string): Promise<void> {
  const { origin, pathname, hash } = new URL(link);
  const site = pathname.startsWith("/operator/") ? "/operator" : "/console";
  const answer = await page.request.post(`${origin}${site}/session`, {
    headers: { Origin: origin },
    data: { secret: hash.slice(1) },
  });
  expect(answer.status(), await answer.text()).toBeLessThan(300);
  await page.goto(`${origin}${site}/${site === "/console" ? "sessions" : "tenants"}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** Signs in as a person does, with a click on the page of the link. */
export async function signInByPage(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in" }).click();
  // The page of the sign-in has a heading too.
  await page.waitForURL(/\/(console|operator)\/(?!sign-in)[a-z]+/);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const { origin, pathname } = new URL(page.url());
  if (pathname === "/console/home") await page.goto(`${origin}/console/sessions`);
}

/** Another page of the console in the browser of one that is signed in. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`${inject("baseUrl")}${path}`);
}

/** The part of a page's element that is needed here: Node has no types of pages. */
interface Steady {
  removeAttribute(name: string): void;
}

/**
 * Presses a control that answers a call, as a person does: when it has been in its place for as long as the page wants it
 * to be, and again when the page says that something moved under the pointer.
 */
export async function press(control: Locator): Promise<void> {
  const missed = control.page().locator(".inbox-missed", { hasText: "not counted" });
  let isMissed = true;
  while (isMissed) {
    // Words about a press before are gone.
    await missed.waitFor({ state: "detached" });
    await control.scrollIntoViewIfNeeded();
    // The page says so anew, of the place where it is now.
    await control.evaluate((element) => {
      (element as unknown as Steady).removeAttribute("data-steady");
    });
    await control.and(control.page().locator("[data-steady]")).waitFor();
    await control.click();
    isMissed = (await missed.count()) > 0;
  }
}

export function expectNoMisdeeds({ misdeeds }: OpenedPage): void {
  expect(misdeeds).toEqual([]);
}
