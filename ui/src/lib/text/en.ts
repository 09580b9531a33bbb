import { common } from "./en/common";
import { start } from "./en/start";
import { crawl } from "./en/crawl";
import { table } from "./en/table";
import { filter } from "./en/filter";
import { overview } from "./en/overview";
import { issues } from "./en/issues";
import { detail } from "./en/detail";
import { urls } from "./en/urls";
import { links } from "./en/links";
import { robots } from "./en/robots";
import { network } from "./en/network";
import { settings } from "./en/settings";
import { signin } from "./en/signin";
import { custom } from "./en/custom";
import { said } from "./en/said";
import { exporting } from "./en/export";

/** English, the language every other one follows. An area a file: `en/<area>.ts`, `export const <area> = { … }`. */
export const en = {
  common, start, crawl, table, filter, overview, issues, detail, urls, links, robots, network, settings, signin, custom, said,
  // `export` is a reserved word: its file calls its texts `exporting`.
  export: exporting,
};
