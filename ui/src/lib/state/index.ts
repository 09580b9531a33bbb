export * from "./app.svelte";
