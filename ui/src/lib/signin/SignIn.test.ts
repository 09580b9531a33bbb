import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { backend, type ApiError } from "../backend";
import Warnings from "../../screens/crawl/Warnings.svelte";
import { app, resumeAudit } from "../state";
import { askToSignIn, signIn } from "../state/signIn.svelte";
import { startForm } from "../state/startForm.svelte";
import { speak } from "../text/language.svelte";
import { splitLogin } from "./address";
import SignInDialog from "./SignInDialog.svelte";

const ORIGIN = "https://lindenleaf.example";
const PATH = "/home/mia/Audits/lindenleaf.gossamer";
const refusal = (code: string, message: string, detail: ApiError["detail"] = []): ApiError => ({ code, message, detail });

beforeEach(() => {
  speak("en");
  Object.assign(startForm, { address: "lindenleaf.example/tea", list: null, project: null, signIn: null, signedOut: false });
  Object.assign(app, { screen: "start", project: null, crawl: null, job: null });
});
afterEach(async () => {
  vi.restoreAllMocks();
  signIn.asked = null;
  await backend.stopJob();
  await backend.forgetSignIn(ORIGIN);
});

async function opened() {
  render(SignInDialog);
  askToSignIn({ purpose: "start" });
  await screen.findByTestId("signin-kept");
}
const fill = (testid: string, value: string) => fireEvent.input(screen.getByTestId(testid), { target: { value } });
const use = () => fireEvent.click(screen.getByTestId("signin-use"));

it("splits a login from an address", () => {
  const check = (typed: string, expected: [string, string, string] | null) => {
    const found = splitLogin(typed);
    expect(found && [found.address, found.user, found.password], typed).toEqual(expected);
  };
  check("https://ada:s3cret@a.test:81/x?y=z@w", ["https://a.test:81/x?y=z@w", "ada", "s3cret"]);
  check(" ada:a:b@a.test ", ["a.test", "ada", "a:b"]);
  check("http://ada@a.test/", ["http://a.test/", "ada", ""]);
  check("https://a%40b:%zz@a.test", ["https://a.test", "a@b", "%zz"]);
  check("https://u:p@ss@a.test", ["https://a.test", "u", "p@ss"]);
  for (const plain of ["a.test", "https://a.test/?mail=a@b.test", "a.test/@ada", "", "a.test#a@b", "ada:s3cret@"]) check(plain, null);
});

it("says whom the sign-in is for, and gives it for one run", async () => {
  const keep = vi.spyOn(backend, "keepSignIn");
  await opened();
  expect((await screen.findByTestId("signin-origin")).textContent).toContain(ORIGIN);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("signin-user")));
  await fill("signin-user", "ada");
  await fill("signin-password", "s3cret");
  expect(screen.getByTestId<HTMLInputElement>("signin-keep").checked).toBe(false);
  await use();
  await waitFor(() => expect(signIn.asked).toBeNull());
  expect(startForm.signIn).toEqual({ origin: ORIGIN, credentials: [{ kind: "login", user: "ada", password: "s3cret" }] });
  expect(keep).not.toHaveBeenCalled();
});

it("shows a secret only while it is wanted", async () => {
  await opened();
  const field = screen.getByTestId<HTMLInputElement>("signin-password");
  expect(field.type).toBe("password");
  await fireEvent.click(screen.getByTestId("signin-password-show"));
  expect(field.type).toBe("text");
  await fireEvent.click(screen.getByTestId("signin-password-show"));
  expect(field.type).toBe("password");
});

it("keeps several credentials in the keychain, and nothing in the window", async () => {
  const keep = vi.spyOn(backend, "keepSignIn");
  startForm.signIn = { origin: ORIGIN, credentials: [{ kind: "bearer", token: "old" }] };
  await opened();
  await fireEvent.click(screen.getByTestId("signin-add"));
  await fill("signin-token", "t0ken");
  await fill("signin-pairs", "a=b");
  await fireEvent.click(screen.getByTestId("signin-keep"));
  await use();
  await waitFor(() => expect(signIn.asked).toBeNull());
  expect(keep).toHaveBeenCalledWith(ORIGIN, [{ kind: "bearer", token: "t0ken" }, { kind: "cookies", pairs: "a=b" }]);
  expect(startForm.signIn).toBeNull();
});

it("says at its field what is wrong, and where the keychain cannot be used what serves instead", async () => {
  await opened();
  await use();
  await waitFor(() => expect(screen.getByTestId("signin-user").getAttribute("aria-invalid")).toBe("true"));
  await fill("signin-user", "ada");
  vi.spyOn(backend, "keepSignIn").mockRejectedValue(refusal("keychain", "The keychain refused: it is locked. Use the sign-in for this run only."));
  await fireEvent.click(screen.getByTestId("signin-keep"));
  await use();
  expect((await screen.findByTestId("signin-error")).textContent).toContain("for this run only");
  expect(startForm.signIn).toBeNull();
  await fireEvent.click(screen.getByTestId("signin-keep"));
  await use();
  await waitFor(() => expect(startForm.signIn?.origin).toBe(ORIGIN));
});

it("forgets what is kept when that was said twice", async () => {
  await backend.keepSignIn(ORIGIN, [{ kind: "header", name: "X-Key", value: "v" }]);
  const forget = vi.spyOn(backend, "forgetSignIn");
  await opened();
  expect(screen.getByTestId("signin-kept").textContent).toContain("header x-key");
  await fireEvent.click(screen.getByTestId("signin-forget"));
  expect(forget).not.toHaveBeenCalled();
  await fireEvent.click(await screen.findByTestId("signin-forget-do"));
  await waitFor(() => expect(screen.getByTestId("signin-kept").textContent).toContain("Nothing is kept"));
  expect(forget).toHaveBeenCalledWith(ORIGIN);
});

it("waits for an address, and says what is wrong with one", async () => {
  startForm.address = "";
  await opened();
  expect(screen.getByTestId("signin-no-address")).toBeTruthy();
  expect(screen.queryByTestId("signin-use")).toBeNull();
});

it("asks again where a crawl was let in, says why, and resumes with it", async () => {
  const resume = vi.spyOn(backend, "resumeAudit").mockRejectedValueOnce(refusal("credentials", "The crawl was given credentials."));
  render(SignInDialog);
  await resumeAudit(PATH);
  expect((await screen.findByTestId("signin-why")).textContent).toContain("user name and password");
  await fill("signin-user", "ada");
  await fill("signin-password", "s3cret");
  await use();
  await waitFor(() => expect(app.screen).toBe("crawl"));
  expect(resume).toHaveBeenLastCalledWith(PATH, { given: { origin: ORIGIN, credentials: [{ kind: "login", user: "ada", password: "s3cret" }] } });
  expect(signIn.asked).toBeNull();
});

it("resumes without a sign-in where that is said", async () => {
  const resume = vi.spyOn(backend, "resumeAudit").mockRejectedValueOnce(refusal("keychain", "The keychain refused: it is locked."));
  render(SignInDialog);
  await resumeAudit(PATH);
  expect((await screen.findByTestId("signin-form")).textContent).toContain("it is locked");
  await fireEvent.click(screen.getByTestId("signin-without"));
  await waitFor(() => expect(resume).toHaveBeenLastCalledWith(PATH, "without"));
  await waitFor(() => expect(signIn.asked).toBeNull());
});

it("stays where resuming is refused again", async () => {
  vi.spyOn(backend, "resumeAudit").mockRejectedValue(refusal("credentials", "Still not let in."));
  render(SignInDialog);
  await resumeAudit(PATH);
  await screen.findByTestId("signin-why");
  await fill("signin-user", "ada");
  await use();
  expect((await screen.findByTestId("signin-error")).textContent).toContain("Still not let in.");
});

it("offers to sign in anew where a server refused", async () => {
  render(Warnings, { total: 1, notices: [{ moment: "2026-03-11T08:30:31Z", code: "credentials-refused", message: `${ORIGIN}: status 401` }] });
  app.screen = "crawl";
  await fireEvent.click(screen.getByTestId("crawl-signin"));
  expect(app.screen).toBe("start");
  expect(signIn.asked).toEqual({ purpose: "start" });
});
