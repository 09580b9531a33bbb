/** The hosts that the tea shop's crawl contacts; numbers grow while it runs. */
import type { HostCertificate, Network, NetworkHost } from "../bindings";
import { at } from "./chance";
import { robotsHosts } from "./robots";
import { site } from "./site";

function certificate(host: string, i: number, live: boolean): HostCertificate | null {
  if (host === "grandmas-teapot.example") return null;
  const day = 86_400_000;
  const from = live ? Date.now() - (66 - i) * day : Date.UTC(2026, 0, 4 + i);
  return {
    issuer: i % 3 === 0 ? "CN=R11, O=Let's Encrypt, C=US" : "CN=Example TLS RSA CA 2, O=Example Trust, C=DE", subject: `CN=${host}`, names: [host, `www.${host.replace(/^www\./, "")}`],
    from: new Date(from).toISOString(), until: new Date(from + (i === 4 ? 70 : 90) * day).toISOString(), fault: null,
  };
}

/** `reached`: answers so far of a crawl that runs; null for one that is over. */
export function network(reached: number | null): Network {
  const { pages } = site();
  const share = reached === null ? 1 : reached / pages.length;
  const hosts = robotsHosts().hosts.map((robots, i): NetworkHost => {
    const own = pages.filter((page) => page.url.startsWith(`${robots.origin}/`));
    const requests = Math.max(1, Math.round(own.length * share)) + 1;
    const mean = robots.status === null ? 4 : Math.round(60 + at(i) * 900);
    const dead = robots.status === null;
    return {
      origin: robots.origin, host: robots.host, internal: robots.internal, requests, bytes: Math.round(own.reduce((sum, page) => sum + Number(page["transferred"] ?? 0), 0) * share),
      errors: dead ? requests : robots.internal ? Math.round(2 * share) : 0, slow_downs: robots.state === "throttled" ? 2 : 0, paused_ms: robots.state === "throttled" ? 42_000 : 0,
      paused_for_ms: reached !== null && robots.state === "throttled" ? 17_500 : null, concurrency: reached === null ? null : robots.state === "throttled" ? 1 : 5,
      in_flight: reached === null ? null : robots.internal ? 4 : 0, crawl_delay: robots.crawl_delay, total_ms: mean * requests, mean_ms: mean, robots_state: robots.state,
      robots_status: robots.status, certificate: certificate(robots.host, i, reached !== null), remote: dead ? null : `192.0.2.${10 + i}:443`, version: dead ? null : i % 2 ? "HTTP/1.1" : "HTTP/2",
    };
  });
  hosts.sort((a, b) => b.requests - a.requests || a.host.localeCompare(b.host));
  const sum = (of: (host: NetworkHost) => number) => hosts.reduce((all, host) => all + of(host), 0);
  return { live: reached !== null, total: hosts.length, requests: sum((one) => one.requests), bytes: sum((one) => one.bytes), errors: sum((one) => one.errors), slow_downs: sum((one) => one.slow_downs), hosts };
}
