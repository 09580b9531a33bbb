import type {
  ApiError, AuditCard, AuditForm, CopyFormat, Exported, Filter, GivenCredential, IssueCard, IssueGroup, JobNews, Network, Overview, ProfileCard, ProjectCard,
  Pulse, RecentProject, RobotsFile, RobotsHosts, RobotsSandbox, RobotsVerdict, RowRange, SettingsForm, SitemapTree, TableCard, TableOpened, TableQuery,
  TableRow, TrapAllowed, TrapCard, UrlDetail, KeptCredentials, SignIn, SignInNeeded, SignInPlace,
} from "./bindings";

/** Everything the interface can ask for. Each call may reject with an `ApiError`. */
export interface Backend {
  // Projects
  recentProjects(): Promise<RecentProject[]>;
  forgetProject(path: string): Promise<void>;
  openProject(path: string): Promise<ProjectCard>;
  closeProject(): Promise<void>;
  project(): Promise<ProjectCard | null>;
  /** Paths that were given to the program when it started, or dropped on the system's icon. */
  startedWith(): Promise<string[]>;

  // Jobs
  startAudit(form: AuditForm): Promise<JobNews>;
  /** With what the keychain has, unless something else is said. Rejects with code "credentials" where that does not let it in. */
  resumeAudit(path: string, signIn?: SignIn): Promise<JobNews>;
  pauseJob(): Promise<void>;
  continueJob(): Promise<void>;
  stopJob(): Promise<void>;
  /** The newest job of this program run, running or not. */
  job(): Promise<JobNews | null>;
  /** Whole snapshots, at most five a second. */
  watchJob(onNews: (news: JobNews) => void): Promise<void>;
  pulse(crawl: number): Promise<Pulse>;
  /** The patterns that a crawl paused. While it runs, ask again for news. */
  traps(crawl: number): Promise<TrapCard[]>;
  /** Lets a pattern go on. Where the crawl is over, the answer says that it has to be resumed for that. */
  allowTrap(crawl: number, pattern: string): Promise<TrapAllowed>;

  // Signing in. Values go to the engine and never come back.
  /** Whom a sign-in beside this address, or beside the list at this path, is for. */
  signInPlace(address: string, list: string | null): Promise<SignInPlace>;
  /** Rejects with what is wrong, at `credentials.NUMBER.FIELD`. */
  checkSignIn(origin: string, credentials: GivenCredential[]): Promise<void>;
  keptSignIns(): Promise<KeptCredentials[]>;
  /** In the place of what is kept for the origin. Rejects with code "keychain" where there is none to keep it. */
  keepSignIn(origin: string, credentials: GivenCredential[]): Promise<KeptCredentials[]>;
  forgetSignIn(origin: string): Promise<KeptCredentials[]>;
  /** What the crawl that would be resumed began with; null where none can be. */
  signInNeeded(path: string): Promise<SignInNeeded | null>;

  // Tables
  tables(): Promise<TableCard[]>;
  /** `ticket` names the call for `cancelTable`. A cancelled call rejects with code "cancelled". */
  openTable(query: TableQuery, ticket: number): Promise<TableOpened>;
  cancelTable(ticket: number): Promise<void>;
  tableRows(table: number, start: number, count: number, columns: string[]): Promise<TableRow[]>;
  /** Rows that the same query would give now. */
  tableLength(table: number): Promise<number>;
  /** The position of a row in an ordering, by its key; null where it is not in it. */
  tablePosition(table: number, key: number, link: number): Promise<number | null>;
  closeTable(table: number): Promise<void>;
  copyRows(table: number, ranges: RowRange[], columns: string[], format: CopyFormat): Promise<string>;
  exportTable(table: number, ranges: RowRange[] | null, columns: string[], path: string): Promise<Exported>;
  /** Where an export would be saved unless the person says otherwise. */
  exportPath(name: string, ending: string): Promise<string>;

  // Understanding
  overview(crawl: number): Promise<Overview>;
  issues(crawl: number): Promise<IssueCard[]>;
  audit(id: string): Promise<AuditCard>;
  issueGroups(crawl: number, audit: string): Promise<IssueGroup[]>;
  issueText(crawl: number, audit: string): Promise<string>;
  urlDetail(crawl: number, key: number): Promise<UrlDetail>;
  urlHtml(crawl: number, key: number): Promise<string | null>;
  /** The key of a URL in a crawl, by its text. */
  urlKey(crawl: number, url: string): Promise<number | null>;

  // Robots & sitemaps
  robotsHosts(crawl: number): Promise<RobotsHosts>;
  robotsFile(crawl: number, origin: string): Promise<RobotsFile>;
  /** `text` null asks the file as fetched. `urls` may be paths of the origin. */
  robotsTest(crawl: number, origin: string, text: string | null, agent: string, urls: string[]): Promise<RobotsVerdict[]>;
  /** What `text` would do to the crawl's URLs of the origin. `ticket` names the call for `cancelSandbox`; it then rejects with code "cancelled". */
  robotsSandbox(crawl: number, origin: string, text: string, agent: string, ticket: number): Promise<RobotsSandbox>;
  cancelSandbox(ticket: number): Promise<void>;
  sitemapTree(crawl: number): Promise<SitemapTree>;

  /** Every host contacted. While the crawl runs in this program, with what is so at this moment: ask again for news. */
  network(crawl: number): Promise<Network>;

  // The broken-link report. Branding comes from the profile's settings `report.*`.
  brokenLinkReport(crawl: number, profile: string | null, path: string): Promise<Exported>;

  // Settings
  profiles(): Promise<ProfileCard[]>;
  settingsForm(profile: string): Promise<SettingsForm>;
  /** `text` null goes back to the default. Rejects with code "settings" where the value is wrong. */
  setSetting(profile: string, id: string, text: string | null): Promise<SettingsForm>;
  createProfile(name: string, like: string): Promise<ProfileCard[]>;
  removeProfile(name: string): Promise<ProfileCard[]>;
  importProfile(path: string): Promise<ProfileCard[]>;
  exportProfile(name: string, path: string): Promise<void>;
  preferences(): Promise<Record<string, string>>;
  setPreference(key: string, value: string): Promise<void>;

  // The desktop
  openInBrowser(url: string): Promise<void>;
  showInFolder(path: string): Promise<void>;
  /** Whether something is at this path already. */
  fileExists(path: string): Promise<boolean>;
  chooseFile(title: string, endings: string[]): Promise<string | null>;
  chooseSave(title: string, suggested: string, endings: string[]): Promise<string | null>;
  onDrop(handle: (paths: string[], over: boolean) => void): Promise<() => void>;
}

export type { ApiError, Filter };
