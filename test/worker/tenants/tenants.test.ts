import { describe, expect, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import { DEFAULT_QUOTAS } from "../../../protocol/quotas/contract.ts";
import type { CreatedTenant, Tenant } from "../../../protocol/tenants/contract.ts";
import { ask, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";

describe("tenants", () => {
  test("one call provisions a tenant with a key that works", async () => {
    const json = { name: " Shoe shop ", metadata: { plan: "gold" } };
    const {
      status,
      headers,
      json: tenant,
    } = await ask<CreatedTenant>("POST", "/v1/tenants", { ...OPERATOR, json });

    expect({ status, location: headers.get("Location"), tenant }).toEqual({
      status: 201,
      location: `/v1/tenants/${tenant.id}`,
      tenant: {
        id: expect.stringMatching(/^ten_[0-9a-z]{26}$/),
        name: "Shoe shop",
        metadata: { plan: "gold" },
        status: "active",
        quotas: DEFAULT_QUOTAS,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        api_key: expect.stringMatching(/^rk_live_[0-9A-Za-z]{33}$/),
      },
    });
    const { api_key, ...rest } = tenant;
    const listed = await ask("GET", "/v1/agents", { key: api_key });
    const read = await ask("GET", `/v1/tenants/${tenant.id}`, OPERATOR);
    expect([listed.status, read.json]).toEqual([200, rest]);
  });

  test("a change replaces what it names and keeps the rest", async () => {
    const { id, created_at } = await makeTenant("Old name");

    const path = `/v1/tenants/${id}`;
    const renamed = await ask<Tenant>("PATCH", path, { ...OPERATOR, json: { name: "New name" } });
    const labelled = await ask<Tenant>("PATCH", path, {
      ...OPERATOR,
      json: { metadata: { a: 1 } },
    });
    const untouched = await ask<Tenant>("PATCH", path, { ...OPERATOR, json: {} });

    const rest = { id, name: "New name", status: "active", quotas: DEFAULT_QUOTAS, created_at };
    expect([renamed.json, labelled.json, untouched.json]).toEqual([
      { ...rest, metadata: {} },
      { ...rest, metadata: { a: 1 } },
      { ...rest, metadata: { a: 1 } },
    ]);
  });

  test("a deleted tenant is gone and its keys open nothing", async () => {
    const { id, call } = await makeTenant();

    const deleted = await ask("DELETE", `/v1/tenants/${id}`, OPERATOR);
    const again = await ask("DELETE", `/v1/tenants/${id}`, OPERATOR);

    const after = [
      await ask("GET", `/v1/tenants/${id}`, OPERATOR),
      await ask("PATCH", `/v1/tenants/${id}`, { ...OPERATOR, json: { name: "Zombie" } }),
      await ask("POST", "/v1/api-keys", { ...OPERATOR, json: { tenant_id: id } }),
      await ask("GET", "/v1/agents", call),
    ];
    expect([deleted.status, again.status, ...after.map((answer) => answer.status)]).toEqual([
      204, 204, 404, 404, 404, 401,
    ]);
    const { json } = await ask<Page<Tenant>>("GET", "/v1/tenants?limit=100", OPERATOR);
    expect(json.data.map((tenant) => tenant.id)).not.toContain(id);
  });

  test("the list has every tenant once, the newest first, page by page", async () => {
    const made = [];
    for (const name of ["A", "B", "C"]) made.push((await makeTenant(name)).id);

    const names: string[] = [];
    let page: string | null = null;
    do {
      const query: string = page === null ? "" : `&page=${page}`;
      const { json }: { json: Page<Tenant> } = await ask<Page<Tenant>>(
        "GET",
        `/v1/tenants?limit=2${query}`,
        OPERATOR,
      );
      names.push(...json.data.map((tenant) => tenant.id));
      page = json.next_page;
    } while (page !== null);

    expect(names).toEqual([...new Set(names)].sort().reverse());
    expect(names).toEqual(expect.arrayContaining(made));
  });

  test("the list is searched by a part of the name and by the beginning of the id, without wildcards", async () => {
    const word = crypto.randomUUID();
    const [first, second, sign] = [
      await makeTenant(`Shoe ${word} shop`),
      await makeTenant(`hat ${word.toUpperCase()}`),
      await makeTenant(`100%_${word}`),
    ];
    const gone = await makeTenant(`Gone ${word}`);
    await ask("DELETE", `/v1/tenants/${gone.id}`, OPERATOR);
    const find = async (text: string, more = "") => {
      const path = `/v1/tenants?search=${encodeURIComponent(text)}${more}`;
      return (await ask<Page<Tenant>>("GET", path, OPERATOR)).json;
    };
    const idsOf = ({ data }: Page<Tenant>) => data.map(({ id }) => id);
    const all = [sign.id, second.id, first.id];

    expect(idsOf(await find(` ${word} `))).toEqual(all);
    expect(idsOf(await find(`shoe ${word}`))).toEqual([first.id]);
    expect(idsOf(await find(`%_${word}`))).toEqual([sign.id]);
    expect(idsOf(await find(`%${word.slice(0, 8)}%`))).toEqual([]);
    expect(idsOf(await find(`' OR 1=1 --`))).toEqual([]);
    expect(idsOf(await find(first.id.slice(0, -1)))).toContain(first.id);
    expect(idsOf(await find(second.id.toUpperCase()))).toEqual([second.id]);
    expect(idsOf(await find(gone.id))).toEqual([]);
    const page = await find(word, "&limit=2");
    const rest = await find(word, `&limit=2&page=${page.next_page}`);
    expect([idsOf(page), idsOf(rest), rest.has_more]).toEqual([
      [sign.id, second.id],
      [first.id],
      false,
    ]);
  });

  test("a list refuses what it cannot page by", async () => {
    const queries = ["limit=0", "limit=101", "limit=ten", "page=zzzz", "page=", "sort=name"].concat(
      "search=%20",
      `search=${"x".repeat(201)}`,
    );

    const refusals = [];
    for (const query of queries)
      refusals.push(refusalOf(await ask("GET", `/v1/tenants?${query}`, OPERATOR)));

    expect(refusals).toEqual(
      ["limit", "limit", "limit", "page", "page", "sort", "search", "search"].map((name) => ({
        status: 400,
        code: "validation_failed",
        pointers: [`#/query/${name}`],
      })),
    );
  });

  test("metadata is measured in bytes", async () => {
    const [fits, tooMuch] = [1_361, 1_362].map((count) => ({
      name: "M",
      metadata: { text: "€".repeat(count) },
    }));

    const answers = [
      await ask("POST", "/v1/tenants", { ...OPERATOR, json: fits }),
      await ask("POST", "/v1/tenants", { ...OPERATOR, json: tooMuch }),
    ];

    expect([answers[0]?.status, refusalOf(answers[1]!)]).toEqual([
      201,
      { status: 400, code: "validation_failed", pointers: ["#/metadata"] },
    ]);
  });
});
