import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";

// The window's page. Nothing is loaded from elsewhere, and nothing is inlined into index.html: the content security
// policy of the shell forbids inline scripts.
export default defineConfig({
  plugins: [svelte(), svelteTesting()],
  resolve: { alias: { $lib: fileURLToPath(new URL("./src/lib", import.meta.url)) } },
  clearScreen: false,
  server: { port: 1420, strictPort: true, host: "localhost" },
  build: {
    // WebKitGTK 2.40 is the oldest engine that shows the window.
    target: ["safari16.4", "chrome111"],
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
  },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.ts"],
    setupFiles: ["./vitest.setup.ts"],
    // Nothing here waits for a clock; on a machine that builds at the same time, drawing a table can take seconds.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
