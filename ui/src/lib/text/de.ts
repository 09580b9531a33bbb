import type { en } from "./en";
import { common } from "./de/common";
import { start } from "./de/start";
import { crawl } from "./de/crawl";
import { table } from "./de/table";
import { filter } from "./de/filter";
import { overview } from "./de/overview";
import { issues } from "./de/issues";
import { detail } from "./de/detail";
import { urls } from "./de/urls";
import { links } from "./de/links";
import { robots } from "./de/robots";
import { network } from "./de/network";
import { settings } from "./de/settings";
import { signin } from "./de/signin";
import { custom } from "./de/custom";
import { said } from "./de/said";
import { exporting } from "./de/export";
import type { Texts } from "./shape";

export const de: Texts<typeof en> = {
  common, start, crawl, table, filter, overview, issues, detail, urls, links, robots, network, settings, signin, custom, said, export: exporting,
};
