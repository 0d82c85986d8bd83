// `npm run build:sdk`: builds the SDK's package in dist/sdk/package, and packs it beside.
import { buildSdk } from "./build-sdk.ts";

const { tarball, plainTypes } = await buildSdk();
console.log(`${plainTypes.length} types written out; packed: ${tarball}`);
