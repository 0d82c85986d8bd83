// Webhook endpoints and their deliveries, in Chromium against the running platform, with a receiver on loopback.
import { expect, onTestFinished, test } from "vitest";

import { webhooks } from "../../../sdk/index.ts";
import { startWebhookReceiver } from "../../support/webhook-receiver.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

async function openWebhooks() {
  const tenant = await makeTenant("Shop");
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.stop());
  const opened = await openPage(await launch());
  await signIn(opened.page, (await tenant.reprise.consoleLinks.create()).url);
  return { ...tenant, receiver, opened, page: opened.page };
}

test("an endpoint is added with a secret shown once, tested, and a delivery is sent again", async () => {
  const { page, opened, receiver, reprise } = await openWebhooks();
  const path = "/shop/200,503,200";
  await visit(page, "/console/webhooks");
  await page.getByText("No endpoints yet").waitFor();
  await page.getByRole("button", { name: "Add an endpoint" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill("https://10.0.0.1/hook");
  await dialog.getByRole("button", { name: "Add" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel("URL").fill(receiver.url + path);
  await dialog.getByRole("button", { name: "Add" }).click();
  const secret = (await dialog.locator(".secret code").textContent()) ?? "";
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await page.getByText("No deliveries").waitFor();
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText(/answered 200 in \d+ ms/).waitFor();
  const [first] = await receiver.waitFor(path, 1);
  const event = await webhooks.unwrap(first?.text ?? "", first?.headers ?? {}, secret);

  await page.getByRole("table").getByRole("link", { name: "webhook_endpoint.test" }).click();
  const attempts = page.getByRole("region", { name: "Attempts" }).getByRole("listitem");
  await expect.poll(() => attempts.count()).toBe(1);
  await page.getByRole("button", { name: "Send again" }).click();
  await expect.poll(() => attempts.count()).toBe(2);
  await page.getByRole("button", { name: "Send again" }).click();
  await expect.poll(() => attempts.count()).toBeGreaterThan(2);
  const told = await attempts.allTextContents();
  const posts = await receiver.waitFor(path, 3);
  await page.getByRole("region", { name: "Body" }).getByText("webhook_endpoint.test").waitFor();

  const [endpoint] = (await reprise.webhookEndpoints.list().page()).data;
  expect(event).toMatchObject({
    type: "webhook_endpoint.test",
    data: { endpoint_id: endpoint?.id },
  });
  expect(
    told.slice(0, 3).map((text) => /(delivered|failed)answered (\d{3})/.exec(text)?.slice(1)),
  ).toEqual([
    ["delivered", "200"],
    ["failed", "503"],
    ["delivered", "200"],
  ]);
  expect(new Set(posts.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(await page.content()).not.toContain(secret);
  expectNoMisdeeds(opened);
});

test("an endpoint is changed, its secret rotated with both in use, disabled and deleted", async () => {
  const { page, opened, receiver, reprise } = await openWebhooks();
  const path = "/shop/200";
  const made = await reprise.webhookEndpoints.create({ url: receiver.url + path, events: ["*"] });
  await visit(page, `/console/webhooks/${made.id}`);
  await page.getByRole("button", { name: "Rotate the secret" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Rotate" }).click();
  const secret = (await dialog.locator(".secret code").textContent()) ?? "";
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await page.getByText("Also signed with the old secret").waitFor();
  await page.getByRole("button", { name: "Send a test" }).click();
  const [post] = await receiver.waitFor(path, 1);
  const signed = [made.secret, secret].map((one) =>
    webhooks.unwrap(post?.text ?? "", post?.headers ?? {}, one).then(({ type }) => type),
  );
  await page.getByRole("button", { name: "Change" }).click();
  await dialog.getByLabel("Description").fill("The till");
  await dialog.getByLabel("* (all)").uncheck();
  await dialog.getByLabel("reply.*").check();
  await dialog.getByLabel(/^Disabled/).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("The till").waitFor();
  const isOff = await page.getByRole("button", { name: "Send a test" }).isDisabled();
  const changed = await reprise.webhookEndpoints.get(made.id);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No endpoints yet").waitFor();

  expect(await Promise.all(signed)).toEqual(["webhook_endpoint.test", "webhook_endpoint.test"]);
  expect([changed.description, changed.events, changed.disabled, isOff]).toEqual([
    "The till",
    ["reply.*"],
    true,
    true,
  ]);
  expectNoMisdeeds(opened);
});

test("another tenant's endpoint and delivery show that there is nothing, and a reader may change nothing", async () => {
  const { reprise, receiver, opened, page } = await openWebhooks();
  const other = await makeTenant("Other");
  const url = `${receiver.url}/other/200`;
  const foreign = await other.reprise.webhookEndpoints.create({ url, events: ["*"] });
  const { id } = await other.reprise.webhookEndpoints.test(foreign.id);
  const own = await reprise.webhookEndpoints.create({ url, events: ["*"] });
  for (const path of [foreign.id, `${foreign.id}/${id}`, `${own.id}/${id}`]) {
    await visit(page, `/console/webhooks/${path}`);
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  }
  const scopes = ["webhooks:read"] as const;
  const reader = await openPage(await launch());
  await signIn(reader.page, (await reprise.consoleLinks.create({ scopes: [...scopes] })).url);
  await visit(reader.page, `/console/webhooks/${own.id}`);
  await reader.page.getByText("No deliveries").waitFor();
  const buttons = await reader.page.getByRole("main").getByRole("button").allTextContents();

  expect(buttons.filter((text) => text !== "")).toEqual([]);
  expectNoMisdeeds(opened);
});

test("an endpoint that is changed to the address of another one is saved, and says so", async () => {
  const { page, opened, receiver, reprise } = await openWebhooks();
  const first = await reprise.webhookEndpoints.create({
    url: `${receiver.url}/one`,
    events: ["session.created"],
  });
  const second = await reprise.webhookEndpoints.create({
    url: `${receiver.url}/two`,
    events: ["session.created"],
  });
  await visit(page, `/console/webhooks/${second.id}`);
  await page.getByRole("button", { name: "Change" }).click();
  const form = page.getByRole("dialog", { name: "Change the endpoint" });
  await form.getByLabel("URL").fill(first.url);
  await form.getByRole("button", { name: "Save" }).click();
  const warning = await form.getByRole("status").textContent();
  if (process.env["PICTURES"]) {
    await page.screenshot({ path: `${process.env["PICTURES"]}/second-endpoint.png` });
  }
  await form.getByRole("button", { name: "Close" }).click();
  await form.waitFor({ state: "detached" });

  expect(warning).toContain(`${first.id} has this URL too`);
  expect((await reprise.webhookEndpoints.get(second.id)).url).toBe(first.url);
  expectNoMisdeeds(opened);
});
