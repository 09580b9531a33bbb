import svelte from "eslint-plugin-svelte";
import tseslint from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

/** Only the folder `backend` may know that there is a shell around the page. */
const shell = {
  patterns: [{ group: ["@tauri-apps/*"], message: "Ask $lib/backend: only src/lib/backend may import @tauri-apps." }],
};

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", "src/bindings/"] },
  ...tseslint.configs.recommended,
  ...svelte.configs.recommended,
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: tseslint.parser, extraFileExtensions: [".svelte"], svelteConfig } },
  },
  {
    rules: {
      // The compiler knows every name, and knows more of them than ESLint.
      "no-undef": "off",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-restricted-imports": ["error", shell],
      "no-restricted-globals": ["error", { name: "alert", message: "Use a toast." }, { name: "confirm", message: "Use Dialog." }],
      "no-console": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      // Pages are not routed by addresses here.
      "svelte/no-navigation-without-resolve": "off",
      // Not every collection in such a file is one that the page shows.
      "svelte/prefer-svelte-reactivity": "off",
      // The compiler and ESLint warn of different things; the compiler's check is the one that decides.
      "svelte/no-unused-svelte-ignore": "off",
      "svelte/no-at-html-tags": "error",
    },
  },
  { files: ["src/lib/backend/**"], rules: { "no-restricted-imports": "off" } },
);
