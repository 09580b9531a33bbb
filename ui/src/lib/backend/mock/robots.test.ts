import { expect, it } from "vitest";
import { mockBackend } from "../mock";
import { ROBOTS_TXT } from "./robots";
import { ORIGIN } from "./site";

const backend = mockBackend("?screen=urls");

it("tells which line decides, as the engine would", async () => {
  const test = async (url: string, agent = "GossamerBot", text: string | null = null) => {
    const [verdict] = await backend.robotsTest(3, ORIGIN, text, agent, [url]);
    return [verdict?.allowed, verdict?.line, verdict?.group];
  };
  expect(await test("/cart/gift")).toEqual([false, 3, "*"]);
  expect(await test("/search/advanced/help")).toEqual([true, 12, "*"]);
  expect(await test("/tea?sort=price", "googlebot")).toEqual([false, 19, "googlebot"]);
  expect(await test("/tea")).toEqual([true, null, "*"]);
  expect(await test("/x", "Foo", "User-agent: Bar\nDisallow: /")).toEqual([true, null, null]);
  expect(await test("https://elsewhere.example/")).toEqual([null, null, null]);
});

it("tries a text on the pages of the site", async () => {
  const same = await backend.robotsSandbox(3, ORIGIN, ROBOTS_TXT, "GossamerBot", 1);
  expect([same.newly_blocked, same.newly_allowed]).toEqual([0, 0]);
  const shut = await backend.robotsSandbox(3, ORIGIN, "User-agent: *\nDisallow: /\n", "GossamerBot", 2);
  expect(shut.blocked).toBe(shut.checked);
  expect(shut.rows[0]).toMatchObject({ before: true, allowed: false, line: 2, rule: "Disallow: /" });
  const free = await backend.robotsSandbox(3, ORIGIN, "", "GossamerBot", 3);
  expect([free.blocked, free.newly_allowed]).toEqual([0, same.blocked]);
  await backend.cancelSandbox(4);
  await expect(backend.robotsSandbox(3, ORIGIN, "", "GossamerBot", 4)).rejects.toMatchObject({ code: "cancelled" });
});

it("tells hosts, files, sitemaps and the network of one crawl alike", async () => {
  const { hosts, total } = await backend.robotsHosts(3);
  expect(hosts.length).toBe(total);
  for (const host of hosts) expect((await backend.robotsFile(3, host.origin)).host).toEqual(host);
  await expect(backend.robotsFile(3, "https://never.example")).rejects.toMatchObject({ code: "usage" });
  const tree = await backend.sitemapTree(3);
  for (const node of tree.nodes) expect(node.parent === null || tree.nodes.some((one) => one.key === node.parent && one.level === node.level - 1)).toBe(true);
  const network = await backend.network(3);
  expect([network.live, network.hosts.length]).toEqual([false, total]);
  expect(network.hosts.every((host) => host.in_flight === null)).toBe(true);
  expect((await mockBackend("?screen=crawl&job=running").network(3)).live).toBe(true);
});
