"""How soon the page is painted, beside a page of one word in the same browser; and a page with a thousand printers.

    .build/browser/bin/python Benchmarks/page.py [PROGRAM]

Run `make test-browser` before, which installs the browser and builds .build/release/printer2mqtt, the default. Times are in
milliseconds after the navigation began, medians of visits with nothing cached, the two pages in turns.
"""

import http.server
import pathlib
import statistics
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/Browser"))

from playwright.sync_api import expect, sync_playwright  # noqa: E402

from processes import Programs  # noqa: E402

VISITS = 15
PRINTERS = 1_000


class OneWord(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b"<!doctype html><title>One word</title>word"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def first_paint(browser, url):
    context = browser.new_context()
    page = context.new_page()
    page.goto(url)
    time = page.evaluate(
        """() => new Promise((done) => new PerformanceObserver((paints) => {
            const first = paints.getEntriesByName('first-contentful-paint')[0];
            if (first) done(first.startTime);
        }).observe({type: 'paint', buffered: true}))"""
    )
    context.close()
    return time


def many(browser, url):
    """When the first of many printers are shown, how long a search takes, and the longest frame while scrolling."""
    page = browser.new_page()
    page.goto(url)
    expect(page.get_by_text(f"{PRINTERS} printers")).to_be_visible(timeout=60_000)
    shown = page.evaluate("performance.now()")
    search = page.evaluate(
        """async () => {
            const input = document.querySelector('input[type=search]');
            const start = performance.now();
            input.value = 'printer 77';
            input.dispatchEvent(new Event('input'));
            await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
            const time = performance.now() - start;
            input.value = '';
            input.dispatchEvent(new Event('input'));
            return time;
        }"""
    )
    longest = page.evaluate(
        """async () => {
            let longest = 0, last = performance.now();
            for (let step = 0; step < 120; step += 1) {
                scrollBy(0, 600);
                await new Promise(requestAnimationFrame);
                longest = Math.max(longest, performance.now() - last);
                last = performance.now();
            }
            return longest;
        }"""
    )
    print(f"{PRINTERS} printers: shown after {shown:.0f} ms, search {search:.0f} ms, longest frame while scrolling {longest:.0f} ms")


def main():
    program = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/release/printer2mqtt").resolve()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), OneWord)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pages = {"the bridge's page": None, "a page of one word": f"http://127.0.0.1:{server.server_port}/"}
    with sync_playwright() as playwright, Programs(program) as programs:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        pages["the bridge's page"] = programs.bridge(programs.broker())
        times = {name: [] for name in pages}
        for _ in range(VISITS):
            for name, url in pages.items():
                times[name].append(first_paint(browser, url))
        for name in pages:
            print(f"first paint of {name}: {statistics.median(times[name]):.0f} ms ({min(times[name]):.0f} to {max(times[name]):.0f})")
    with sync_playwright() as playwright, Programs(program) as programs:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        many(browser, programs.bridge(programs.broker(), programs.printers(PRINTERS)))


if __name__ == "__main__":
    main()
