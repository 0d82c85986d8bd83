// Types that clients declare by a file's ending.
import { expect, test } from "vitest";

import { makeTenant } from "../support/api.ts";
import { upload, withBytes } from "./files.ts";

test.each([
  [
    "a table that Windows calls a spreadsheet",
    "a;b\n1;2\n",
    "application/vnd.ms-excel",
    "text/plain",
  ],
  ["a program whose ending is a film's", "export const a = 1;\n", "video/mp2t", "text/plain"],
  [
    "an archive of a kind that nothing shows",
    withBytes("PK\x03\x04", 64),
    "application/java-archive",
    "application/zip",
  ],
])("the type of %s is what its bytes say", async (_, body, type, media_type) => {
  const { call } = await makeTenant();

  expect((await upload(call, body, { type })).json).toMatchObject({ media_type });
});
