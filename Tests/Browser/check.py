"""Uses the page as a person does, in a real Chromium: check.py PROGRAM [FOLDER FOR SCREENSHOTS]"""

import base64
import http.server
import pathlib
import re
import shutil
import sys
import threading

from playwright.sync_api import expect, sync_playwright

from processes import CODE, Programs, announce, free_port, wait

SERIAL = "00M00A000000001"
# A JPEG of 16 x 16 grey pixels.
PICTURE = base64.b64decode(
    "/9j/4AAQSkZJRgABAgAAAQABAAD/2wBDAAg+Pkk+SVVVVVVVVWRdZGhoaGRkZGRoaGhwcHCDg4NwcHBoaHBwfHyDg4+Tj4eHg4eTk5ubm7q6sr"
    "LZ2eD/////xABKAAEAAAAAAAAAAAAAAAAAAAAAAQEAAAAAAAAAAAAAAAAAAAAAEAEAAAAAAAAAAAAAAAAAAAAAEQEAAAAAAAAAAAAAAAAAAAAA"
    "/8AAEQgAEAAQAwEiAAIRAAMRAP/aAAwDAQACEQMRAD8AAA//2Q=="
)


class Watch:
    """Notes everything that a page should not do, and everything that it was sent."""

    def __init__(self, page):
        self.faults = []
        self.received = []
        page.on("console", lambda message: self.faults.append(f"console {message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        page.on("response", self.take)

    def take(self, response):
        if response.status >= 500:
            self.faults.append(f"{response.status} {response.url}")
        if "/api/" in response.url and "events" not in response.url and response.ok:
            try:
                self.received.append(response.text())
            except Exception:  # The page went on before the answer was read.
                pass


def check_names(page):
    """Every control has a name that a screen reader says."""
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button, a, input, select, textarea, [role=img]')]
            .filter((node) => node.checkVisibility())
            .filter((node) => !(node.getAttribute('aria-label') || node.textContent.trim()
                || node.querySelector('img')?.alt || (node.labels && node.labels.length)))
            .map((node) => node.outerHTML.slice(0, 100))"""
    )
    assert not nameless, nameless


def check_width(page):
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"], f"{width} pixels at {page.url}"


def look(page, folder, name):
    check_names(page)
    check_width(page)
    if folder:
        page.screenshot(path=folder / f"{name}.png", full_page=True)


def add_and_mend(page, programs, url, port, folder):
    """The way of a person: add a printer that is heard, see it healthy, break it, read why, mend it."""
    printer = programs.simulator(port)
    page.goto(url)
    page.get_by_role("link", name="Add a printer").click()
    announce("127.0.0.1", SERIAL)
    page.get_by_role("button", name="Add X1C at 127.0.0.1").click()
    expect(page.get_by_role("heading", name="Add X1C at 127.0.0.1")).to_be_visible()

    page.get_by_role("button", name="Test the connection").click()
    expect(page.locator("#field-access_code-error")).to_contain_text("is needed")
    page.get_by_label("Access code").fill(CODE)
    page.get_by_text("More settings").click()
    page.get_by_label("Stream port").fill(str(port))
    page.get_by_label("Probe interval").fill("3")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#field-probe_interval-error")).to_be_visible()
    page.get_by_label("Probe interval").fill("15")
    page.get_by_label("Id", exact=True).fill("workshop")
    page.get_by_label("Name", exact=True).fill("Workshop")
    page.get_by_role("button", name="Test the connection").click()
    expect(page.get_by_text("The camera answers.")).to_be_visible(timeout=15_000)
    expect(page.get_by_role("list", name="Stages of the last probe")).to_contain_text("DESCRIBE")
    look(page, folder, "page-add")
    page.get_by_role("button", name="Save").click()

    card = page.locator("[data-printer=workshop]")
    expect(card.locator(".status")).to_have_text("Camera healthy")
    # The stages are folded while all is well.
    expect(card.locator(".stages")).to_be_hidden()
    card.get_by_text("Last probe").click()
    expect(card.get_by_role("list", name="Stages of the last probe")).to_contain_text("TLS")
    card.get_by_text("Last probe").click()

    printer.terminate()
    printer.wait()
    page.get_by_role("button", name="Probe now: Workshop").click()
    expect(card.locator(".status")).to_have_text("Camera degraded")
    expect(card.locator(".trouble").first).to_contain_text("is closed")
    expect(card.locator(".trouble strong").first).to_contain_text("LAN Mode Liveview")
    expect(card.locator(".stages .failed")).to_contain_text("TCP")
    expect(card.locator(".stages .failed")).to_be_visible()

    # The page says it, and a person mends it.
    programs.simulator(port)
    # A simulated printer makes a new certificate at each start.
    expect(card.locator(".trouble").first).to_contain_text("certificate", timeout=90_000)
    page.get_by_role("button", name="Accept certificate: Workshop").click()
    expect(card.locator(".status")).to_have_text("Camera healthy", timeout=90_000)


def follow_a_print(page, programs, folder):
    """Switch the printer's own report on, prove the printer, and watch the print, which pauses without filament."""
    options = ["--host", "127.0.0.45", "--print", "--print-minutes", "1.5", "--print-outcome", "paused", "--model", "h2d"]
    port = free_port()
    programs.simulator(port, *options)
    page.get_by_role("link", name="Add a printer").click()
    page.get_by_role("button", name="Add H2D at 127.0.0.45").click()
    page.get_by_label("Access code").fill(CODE)
    page.get_by_text("More settings").click()
    page.get_by_label("Stream port").fill(str(port))
    for setting in ["Telemetry", "Recorder", "Timelapse film"]:
        page.get_by_label(setting, exact=True).check()
    page.get_by_label("Id", exact=True).fill("big")
    page.get_by_label("Name", exact=True).fill("Big")
    page.get_by_role("button", name="Save").click()
    card = page.locator("[data-printer=big]")
    expect(card.locator(".status")).to_have_text("Camera healthy", timeout=30_000)
    page.get_by_role("button", name="Accept certificate: Big").click(timeout=30_000)
    expect(card.locator(".print strong")).to_have_text("Printing", timeout=30_000)
    expect(card).to_contain_text("Benchy")
    bar = card.get_by_role("progressbar", name="Progress of the print")
    before = float(bar.get_attribute("value"))
    # It is live.
    expect(bar).not_to_have_attribute("value", str(int(before)), timeout=15_000)
    assert float(bar.get_attribute("value")) > before
    expect(card).to_contain_text(re.compile(r"Left nozzle 24 °C · Right nozzle \d+ of 220 °C · Bed \d+ of 60 °C"))
    expect(card).to_contain_text(re.compile(r"\d+ % · \d min left · until .* · layer \d+ of 18"))
    look(page, folder, "page-print")
    expect(card.locator(".print strong")).to_have_text("Print finished", timeout=120_000)
    expect(bar).to_have_count(0)
    for moment in ["First layer", "Last layer", "Finished"]:
        picture = page.get_by_alt_text(f"{moment} of Big")
        picture.scroll_into_view_if_needed()
        page.wait_for_function("(image) => image.naturalWidth === 320", arg=picture.element_handle())
    card.get_by_text("Clips (2)").click()
    for film in ["Print paused", "Timelapse"]:
        play(page, page.get_by_label(re.compile(f"^{film}, ")))


def play(page, video):
    """A film has a picture and a length, plays, and shows the place that a person moves to."""
    expect(video).to_be_visible()
    handle = video.element_handle()
    poster = handle.evaluate("async (video) => (await fetch(video.poster)).headers.get('content-type')")
    assert poster == "image/jpeg", poster
    handle.evaluate("(video) => { video.muted = true; return video.play(); }")
    page.wait_for_function("(video) => video.currentTime > 0.2", arg=handle)
    middle = handle.evaluate("(video) => { video.pause(); return video.currentTime = video.duration / 2; }")
    page.wait_for_function(
        "([video, middle]) => !video.seeking && video.readyState > 1 && Math.abs(video.currentTime - middle) < 0.05",
        arg=[handle, middle],
    )


class Camera(http.server.BaseHTTPRequestHandler):
    """Sends one small picture at each address."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "image/jpeg")
        self.end_headers()
        self.wfile.write(PICTURE)

    def log_message(self, *_):
        pass


def add_other_camera(page, folder):
    """Another maker's camera: chosen by name, completed by its address, tested without an access code."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Camera)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page.get_by_role("link", name="Add a printer").click()
    page.get_by_label("Camera of").select_option("Creality K1")
    expect(page.get_by_label("Camera of")).to_be_focused()
    expect(page.get_by_text("LAN Mode Liveview")).to_have_count(0)
    page.get_by_label("IP address of the Creality K1").fill("127.0.0.1")
    url = page.get_by_label("Camera URL")
    expect(url).to_have_value("http://127.0.0.1:8080/?action=stream")
    url.fill(f"http://me:canary43@127.0.0.1:{server.server_port}/")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#field-camera_url-error")).to_contain_text("set 'Stream user' and 'Access code'")
    url.fill(f"http://127.0.0.1:{server.server_port}/?action=snapshot")
    page.get_by_role("button", name="Test the connection").click()
    expect(page.get_by_text("The camera answers.")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("K1")
    look(page, folder, "page-add-camera")
    page.get_by_role("button", name="Save").click()
    card = page.locator("[data-printer=creality_k1]")
    expect(card.locator(".status")).to_have_text("Camera healthy")
    server.shutdown()
    server.server_close()
    page.get_by_role("button", name="Probe now: K1").click()
    expect(card.locator(".trouble").first).to_contain_text("camera's program runs")
    expect(card.get_by_role("button", name="Ask the printer")).to_be_hidden()
    expect(card).not_to_contain_text("Liveview")
    page.get_by_role("link", name="Edit: K1").click()
    expect(page.get_by_label("Camera URL")).to_be_visible()


def watch_live(page, programs, broker, folder):
    """Watch a P1's camera on its card; nobody watches any more when that is stopped, or when the card is out of sight."""
    port = free_port()
    programs.simulator(port, "--host", "127.0.0.46", "--model", "p1s")
    page.get_by_role("link", name="Add a printer").click()
    expect(page.get_by_role("link", name="added as big")).to_be_visible()
    page.get_by_role("button", name="Add P1S at 127.0.0.46").click()
    page.get_by_label("Access code").fill(CODE)
    page.get_by_text("More settings").click()
    page.get_by_label("Stream port").fill(str(port))
    page.get_by_label("Id", exact=True).fill("small")
    page.get_by_label("Name", exact=True).fill("Small")
    page.get_by_role("button", name="Save").click()
    card = page.locator("[data-printer=small]")
    page.get_by_role("button", name="Accept certificate: Small").click(timeout=30_000)
    expect(card.locator(".status")).to_have_text("Camera healthy", timeout=30_000)
    image = page.get_by_alt_text("Live picture of Small")

    def begin():
        page.get_by_role("button", name="Watch: Small").click()
        expect(image).to_be_visible()
        page.wait_for_function("(image) => image.naturalWidth === 1280", arg=image.element_handle())
        wait(lambda: programs.retained(broker, "printer2mqtt/small/camera")["viewers"] == 1, "it is watched")

    def ended():
        expect(image).to_have_count(0)
        wait(lambda: programs.retained(broker, "printer2mqtt/small/camera")["viewers"] == 0, "nobody watches")

    begin()
    look(page, folder, "page-watch")
    page.get_by_role("button", name="Stop: Small").click()
    ended()
    begin()
    page.evaluate(
        """() => {
            Object.defineProperty(document, 'hidden', {configurable: true, value: true});
            document.dispatchEvent(new Event('visibilitychange'));
            delete document.hidden;
            document.dispatchEvent(new Event('visibilitychange'));
        }"""
    )
    ended()
    begin()
    # As if the bridge had been restarted.
    with page.expect_request("**/camera/small/stream*"):
        page.evaluate("document.onvisibilitychange()")
    page.get_by_role("link", name="Bridge").click()
    ended()
    page.get_by_role("link", name="Printers").click()
    begin()
    page.get_by_role("searchbox").fill("another one")
    ended()
    page.get_by_role("searchbox").fill("")
    watch_video(page, programs, broker, card_of="Workshop", id="workshop")
    page.goto(page.url.split("#")[0] + "#bridge")
    page.get_by_label("Program").fill("Dashboard")
    page.get_by_role("button", name="Make a token").click()
    expect(page.locator("code", has_text="/camera/small/stream?token=")).to_be_visible()
    copy = page.get_by_role("button", name="Copy: Video of Small")
    copy.click()
    expect(copy).to_have_text(re.compile("Copied|Press"))
    page.get_by_role("button", name="Revoke: Dashboard").click()
    expect(page.get_by_role("button", name="Revoke: Dashboard")).to_have_count(0)
    page.get_by_role("link", name="Printers").click()


def watch_video(page, programs, broker, card_of, id):
    """Watch the video of an X1C: a wait ends by itself, then it plays, at the newest picture, until it is stopped."""
    wait_text = "This camera had 4 connections in the last minute: again in 3 s."
    refuse = {"status": 503, "headers": {"Retry-After": "3"}, "body": wait_text}
    page.route("**/stream.mp4", lambda route: route.fulfill(**refuse), times=1)
    page.route("**/stream.mp4", lambda route: route.abort(), times=1)
    page.get_by_role("button", name=f"Watch: {card_of}").click()
    for text in ["The bridge does not answer. Trying again in [1-4] s", "again in [12] s"]:
        expect(page.locator(f"[data-printer={id}]")).to_contain_text(re.compile(text))
    video = page.get_by_label(f"Live picture of {card_of}")
    expect(video).to_be_visible()
    handle = video.element_handle()
    page.wait_for_function("(video) => video.videoWidth > 0 && video.currentTime > 0", arg=handle)
    before = handle.evaluate("(video) => video.currentTime")
    page.wait_for_function("([video, before]) => video.currentTime > before + 3", arg=[handle, before])
    expect(page.locator(f"[data-printer={id}] figcaption").first).to_have_text("Live")
    lag = handle.evaluate("(video) => video.buffered.end(video.buffered.length - 1) - video.currentTime")
    assert lag < 2, f"the video is {lag} s behind"
    wait(lambda: programs.retained(broker, f"printer2mqtt/{id}/camera")["viewers"] == 1, "it is watched")
    page.get_by_role("button", name=f"Stop: {card_of}").click()
    expect(video).to_be_hidden()
    wait(lambda: programs.retained(broker, f"printer2mqtt/{id}/camera")["viewers"] == 0, "nobody watches")
    # A browser that cannot play it says so, and where it can be played.
    page.evaluate("MediaSource.isTypeSupported = () => false")
    page.get_by_role("button", name=f"Watch: {card_of}").click()
    answer = page.locator(f"[data-printer={id}]").get_by_text("This browser cannot play")
    expect(answer).to_contain_text("mpv at rtsp://127.0.0.1:9554/" + id)
    page.evaluate("delete MediaSource.isTypeSupported")


def edit_and_remove(page, folder):
    """Edit, rename, remove, by keyboard where a form has one way to do it."""
    page.get_by_role("link", name="Edit: Workshop").click()
    expect(page.get_by_label("Access code")).to_have_value("")
    page.get_by_label("Name", exact=True).fill("Shop <b>&amp;</b>")
    page.get_by_label("Name", exact=True).press("Enter")
    expect(page.get_by_role("heading", name="Shop <b>&amp;</b>")).to_be_visible()
    page.get_by_role("link", name="Edit: Shop").click()
    page.get_by_label("New id").fill("shop")
    page.get_by_label("New id").press("Enter")
    expect(page.locator("[data-printer=shop]")).to_be_visible()
    page.get_by_role("link", name="Bridge").click()
    page.get_by_role("button", name="Make a report").click()
    report = page.get_by_label("Report", exact=True)
    expect(report).to_be_visible()
    assert "printer shop" in report.input_value() and CODE not in report.input_value()
    look(page, folder, "page-bridge")
    page.get_by_role("link", name="Printers").click()
    page.get_by_role("link", name="Edit: Shop").click()
    look(page, None, "edit")
    page.get_by_role("button", name="Remove Shop").click()
    page.get_by_role("button", name="Remove it").click()
    expect(page.locator("[data-printer=shop]")).to_have_count(0)


def sign_in(browser, programs, broker):
    """With a password nothing is shown before it."""
    url = programs.bridge(broker, "  password: correct horse\nstore:\n  path: " + programs.path("second") + "\n")
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.route("**/start.js", lambda route: route.fulfill(status=429, body="Too many requests"), times=1)
    page.goto(url)
    expect(page.get_by_text("load the page again")).to_be_visible(timeout=10_000)
    page.route("**/form.js", lambda route: route.fulfill(status=429, body="Too many requests"), times=1)
    page.goto(url)
    expect(page.get_by_text("Trying again…")).to_be_visible()
    page.get_by_label("Password").fill("wrong horse")
    page.get_by_label("Password").press("Enter")
    expect(page.get_by_role("alert")).to_have_text("The password is wrong.")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_label("Password").press("Enter")
    expect(page.get_by_role("heading", name="Printers")).to_be_visible()
    check_names(page)
    check_width(page)
    page.get_by_role("link", name="Add a printer").click()
    page.get_by_label("Address", exact=True).fill("192.0.2.7")
    other = context.new_page()
    other.goto(url)
    other.get_by_role("button", name="Sign out").click()
    expect(other.get_by_label("Password")).to_be_visible()
    # The other tab is signed out as well, and its form stays.
    page.bring_to_front()
    page.get_by_label("Password").fill("correct horse")
    page.get_by_label("Password").press("Enter")
    expect(page.get_by_label("Address", exact=True)).to_have_value("192.0.2.7")
    context.close()


def without_broker(browser, programs):
    """The first tab says why there is no connection to the broker."""
    page = browser.new_page()
    page.goto(programs.bridge(free_port(), "store:\n  path: " + programs.path("third") + "\n"))
    expect(page.locator("main .trouble").first).to_contain_text("The broker cannot be reached")
    check_width(page)
    page.close()


def show(browser, url, folder):
    """The same at 360 pixels and on a screen, light and dark."""
    for scheme, width in [("light", 1100), ("dark", 1100), ("light", 360), ("dark", 360)]:
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 740})
        page = context.new_page()
        watch = Watch(page)
        page.goto(url)
        expect(page.locator(".card").nth(1)).to_be_visible()
        if shutil.which("ffmpeg"):
            if not page.locator("figure img").first.is_visible():
                page.get_by_role("button", name="Take picture: Garage H2D").click()
            expect(page.get_by_alt_text("Picture of Garage H2D")).to_be_visible(timeout=90_000)
        page.wait_for_timeout(300)
        look(page, folder, f"page-{scheme}" + ("" if width > 360 else "-phone"))
        for part in ["add", "bridge"]:
            page.goto(url + "#" + part)
            page.wait_for_timeout(300)
            check_width(page)
        assert not watch.faults, watch.faults
        context.close()


# A card of a printer that is down, and what differs from it.
CARD = """async (differs) => {
    const {Card} = await import('./card.js');
    const printer = {
        id: 'x', name: 'X', address: '192.0.2.7', model: 'p1s', model_name: 'P1S', live: null, history: [], announced: null,
        snapshot_at: null, moments: {}, clips: [], print: null, print_link: null, failed_stage: 'tls',
        stream: {status: 'down', reason: 'tcp_timeout', message: 'nothing answers', hint: 'Switch it on.', latency_ms: {}},
    };
    const card = new Card('x');
    card.update({...printer, ...differs, stream: {...printer.stream, ...differs.stream}});
    document.querySelector('main').replaceChildren(card.node);
}"""
SINCE = "2026-11-28T07:00:00Z"
LOST = {"status": "lost", "reason": "unreachable", "message": "m", "hint": "Look at the report.", "since": SINCE}
PRINTING = {"state": "running", "progress": 99, "remaining_minutes": None}
KEPT = {"trusted_fingerprint": "ab12", "fingerprint": "ab12", "subject": "CN=X", "acceptable": True}
# What differs, what the card then says, and what it does not say.
CARDS = [
    ({"print": PRINTING, "print_link": LOST}, ["Camera down", "Printing", "No report since", "Switch"], ["Look at"]),
    ({"print_link": LOST, "stream": {"reason": "busy"}}, ["Look at the report."], ["No report since"]),
    ({"stream": {"certificate": KEPT}}, ["ab12", "Get the vendor's authorities"], ["Trusted until now"]),
    (
        {"stream": {"reason": "certificate_changed", "certificate": {**KEPT, "fingerprint": "cd34"}}},
        ["ab12", "cd34", "Trusted until now"],
        ["Get the vendor's authorities", "Nothing answers"],
    ),
]


def show_cards(browser, url):
    """A card says each thing once, dims what is old, and shows moments in full; a picture that is gone is no broken one."""
    page = browser.new_page()
    page.goto(url)
    expect(page.get_by_role("heading", name="Printers")).to_be_visible()
    for differs, said, unsaid in CARDS:
        page.evaluate(CARD, differs)
        card = page.locator("main .card")
        for text in said:
            expect(card).to_contain_text(text)
        for text in unsaid:
            expect(card).not_to_contain_text(text)
    page.evaluate(CARD, CARDS[0][0])
    expect(page.locator(".card .stack.old")).to_contain_text("99 %")
    page.route("**/moments/finished*", lambda route: route.fulfill(body=PICTURE, content_type="image/jpeg"))
    page.route("**/moments/failed*", lambda route: route.fulfill(status=404))
    page.evaluate(CARD, {"moments": {"finished": SINCE, "failed": SINCE}})
    expect(page.locator(".moments")).to_contain_text("No picture")
    page.get_by_role("link", name="Finished of X").click()
    expect(page.locator("dialog img")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(page.locator("dialog")).to_have_count(0)
    page.close()


def check_size(browser, url):
    """The page is small: all its files with their headers."""
    page = browser.new_page()
    page.goto(url)
    expect(page.locator("#link")).to_have_text("Live")
    loaded = page.evaluate(
        """() => [...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]
            .filter((entry) => !/[/](api|camera)[/]/.test(entry.name))
            .reduce((sum, entry) => sum + entry.transferSize, 0)"""
    )
    page.close()
    assert 0 < loaded < 65_536, f"{loaded} bytes"
    print(f"the page and its files have {loaded} bytes")


def search_many(browser, programs, count):
    """With many printers the page makes few cards at first, more on the way down, and a search finds among all."""
    page = browser.new_page()
    page.goto(programs.bridge(programs.broker(), programs.printers(count)))
    expect(page.get_by_text(f"{count} printers")).to_be_visible()
    cards = page.locator(".card")
    assert cards.count() < 200, cards.count()
    page.get_by_role("searchbox").fill("printer 77")
    expect(cards).to_have_count(sum("77" in str(number) for number in range(count)))
    page.get_by_role("searchbox").fill("")
    for _ in range(60):
        page.mouse.wheel(0, 3_000)
        page.wait_for_timeout(20)
    wait(lambda: cards.count() > 200, "cards appear on the way down")
    page.close()
    print(f"{count} printers can be searched")


SHOWN = f"""
printers:
  x1c:
    name: Workshop X1C
    printer_ip: 127.0.0.1
    access_code: {CODE}
    stream_port: 9
    model: x1c
  h2d:
    name: Garage H2D
    printer_ip: 127.0.0.1
    access_code: {CODE}
    stream_port: %d
    model: h2d
"""


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    expect.set_options(timeout=60_000)
    with sync_playwright() as playwright, Programs(program) as programs:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        broker = programs.broker()
        url = programs.bridge(broker)
        page = browser.new_page(viewport={"width": 360, "height": 740})
        watch = Watch(page)
        add_and_mend(page, programs, url, free_port(), folder)
        follow_a_print(page, programs, folder)
        add_other_camera(page, folder)
        page.get_by_role("link", name="Printers").click()
        watch_live(page, programs, broker, folder)
        edit_and_remove(page, folder)
        refused = [fault for fault in watch.faults if not re.search("422|503|ERR_FAILED", fault)]
        assert not refused, refused
        received = "".join(watch.received) + page.content() + programs.log("bridge")
        assert CODE not in received, "an access code was shown"
        print("a print was followed, a camera of another maker added, and a camera watched")
        print("a printer was added, broken, mended, edited and removed")
        sign_in(browser, programs, broker)
        print("nothing is shown without the password")
        show_cards(browser, url)
        print("a card says each thing once")
        check_size(browser, url)
        without_broker(browser, programs)
        print("the first tab says that the broker cannot be reached")
    with sync_playwright() as playwright, Programs(program) as programs:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        port = free_port()
        programs.simulator(port)
        show(browser, programs.bridge(programs.broker(), SHOWN % port), folder)
        print("360 pixels are wide enough, light and dark")
    with sync_playwright() as playwright, Programs(program) as programs:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        search_many(browser, programs, 1_000)


if __name__ == "__main__":
    main()
