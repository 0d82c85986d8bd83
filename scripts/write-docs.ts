// `npm run docs:pages`: writes the module with the documentation's pages.
import { writeSite } from "./write-site.ts";

await writeSite();
