# What a person does with printer2mqtt on Debian 12 and its relatives. 'make help' lists it.

CONFIG ?= config/printer2mqtt.yaml
PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR ?=
MINUTES ?= 60
SWIFT ?= swift
# The Swift runtime goes into the program: it then runs where no Swift is installed, and in less memory. With '-z now' the
# table of the libraries' functions is read-only once the program runs.
RELEASE := --configuration release --static-swift-stdlib --product printer2mqtt -Xlinker -z -Xlinker now
PROGRAM := .build/release/printer2mqtt

BUILD_PACKAGES := libmosquitto-dev libsqlite3-dev libssl-dev pkg-config
RUN_PACKAGES := mosquitto mosquitto-clients
DEB_PACKAGES := binutils dpkg-dev python3
TEST_PACKAGES := curl debootstrap etcd-client etcd-server ffmpeg gir1.2-gst-rtsp-server-1.0 glib-networking \
	gstreamer1.0-plugins-bad gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly motion openssl \
	procps python3 python3-gi python3-jsonschema \
	python3-venv python3-yaml sqlite3 stunnel4 ustreamer vlc-bin vlc-plugin-base

# The test targets run one after the other: some tests measure time, and would fail beside other work.
TEST_TARGETS = $(notdir $(wildcard Tests/*/*Tests))

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run build deb test test-package test-libmosquitto test-deb test-rabbitmq test-homeassistant test-browser test-fuzzing test-idle lint format deps-run deps-deb deps-test deps-test-deb deps-rabbitmq deps-browser install uninstall clean

help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo; echo "  CONFIG=$(CONFIG)  PREFIX=$(PREFIX)"

# A CONFIG that was named is passed on even where it does not exist, so that the program says so. The default path is
# passed on only if the file exists. With 'exec', Ctrl-C and SIGTERM reach the bridge and not a shell in between.
run: deps-run build ## Install what is missing, build, and run the bridge with CONFIG if that file exists
	@exec $(PROGRAM) run $(if $(filter-out file,$(origin CONFIG))$(wildcard $(CONFIG)),--config '$(CONFIG)')

build: ## Build the program in release mode
	@pkg-config --exists libmosquitto openssl sqlite3 2>/dev/null || { \
	  echo "$@: install $(BUILD_PACKAGES), or what corresponds to them here;" \
	    "on Debian, 'make deps-run' installs them" >&2; exit 1; }
	$(SWIFT) build --product SettingsMacros
	SETTINGS_MACROS='$(CURDIR)/.build/debug/SettingsMacros-tool' $(SWIFT) build $(RELEASE)

deb: deps-deb build ## Build a Debian package, and print its path
	@packaging/deb/build $(PROGRAM) .build/deb

test: export WARNINGS_AS_ERRORS := 1
test: deps-test ## Install what is missing, and run all tests
	$(SWIFT) build --build-tests
	@Tests/TestSupport/Servers/install-amqtt .build/amqtt || echo "$@: without amqtt, its tests are skipped" >&2
	@for target in $(TEST_TARGETS); do \
	  echo "$(SWIFT) test --skip-build --filter '^$$target\.'"; \
	  $(SWIFT) test --skip-build --filter "^$$target\." || exit; \
	done

# They are built where the tests are, with the same versions: so only their own few files are compiled.
test-package: export WARNINGS_AS_ERRORS := 1
test-package: deps-test ## Build and run packages of somebody else that use the bridge, the MQTT client alone, and settings alone
	for package in EmbeddedBridge MQTTOnly SettingsOnly; do \
	  [ ! -e Package.resolved ] || cp Package.resolved Tests/Packages/$$package; \
	  SWIFT='$(SWIFT)' Tests/Packages/$$package/check --scratch-path '$(CURDIR)/.build' || exit 1; \
	done

test-libmosquitto: deps-test ## Run the client's tests with libmosquitto of Debian 12, 13 and sid, in roots of their own (root only)
	$(SWIFT) build --build-tests
	Tests/Libmosquitto/run

test-deb: deps-test-deb build ## Install, upgrade, remove and purge the package on Debian 12 and 13 with systemd (root only)
	packaging/deb/test $(PROGRAM)

.PHONY: test-fleet test-clients test-cost deps-clients deps-cost
.PHONY: addon test-container test-addon test-release test-documents deps-test-container deps-test-addon deps-test-documents

test-container: deps-test-container deb ## Build the container image with buildah on a Debian root, and run it (root only)
	docker/test "$$(ls -t .build/deb/*.deb | head -1)"

addon: deb ## Make the folder of the Home Assistant add-on, and print its path
	@packaging/homeassistant/build .build/addon "$$(ls -t .build/deb/*.deb | head -1)"

test-addon: deps-test-addon deb ## Run the add-on's start script with a stand-in of Home Assistant's Supervisor (root only)
	packaging/homeassistant/test $(PROGRAM) "$$(ls -t .build/deb/*.deb | head -1)"

test-release: deb ## Rehearse a release without publishing: its files, notes, names of images, the add-on's branch
	packaging/test-release "$$(ls -t .build/deb/*.deb | head -1)"

test-documents: deps-test-documents build ## Run the commands of the documents, and check their links (root only)
	Tests/Documents/run $(PROGRAM)

test-fleet: export WARNINGS_AS_ERRORS := 1
test-fleet: deps-test ## Try settings on etcd, and three bridges that share printers
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --filter '^SettingsEtcdTests\.'
	$(SWIFT) test --skip-build --filter '^EndToEndTests\.Fleet'

test-clients: deps-clients build ## Let packages of others from PyPI read a simulated printer
	Tests/Browser/install .build/clients Tests/Clients/requirements.txt
	.build/clients/bin/python Tests/Clients/check.py $(PROGRAM)

test-rabbitmq: deps-rabbitmq ## Try the bridge on RabbitMQ, which this installs
	$(SWIFT) build --build-tests
	TEST_RABBITMQ=1 $(SWIFT) test --skip-build --filter '^EndToEndTests\.RabbitMQTests'

test-cost: deps-cost build ## Fail if the cost of a stranger's input grows faster than its length
	Tests/Cost/check.py $(PROGRAM)

test-fuzzing: deps-test ## Give each target of the fuzzer its corpus, and a second
	Fuzzing/fuzz 1

test-homeassistant: HOME_ASSISTANT := .build/homeassistant$(addprefix -,$(HA_VERSION))
test-homeassistant: deps-run build ## Try it on a real Home Assistant, installed into .build (1.4 GB); HA_VERSION=2026.2: an older one
	Tests/HomeAssistantIntegration/install $(HOME_ASSISTANT)
	Tests/HomeAssistantIntegration/checks.py $(PROGRAM) $(HOME_ASSISTANT)

test-idle: deps-run ## Record what an idle bridge publishes in MINUTES, and fail on all that is not due
	$(SWIFT) build --product printer2mqtt
	Tests/Idle/record .build/debug/printer2mqtt --minutes $(MINUTES)

SOURCES = Package.swift Sources Tests Fuzzing/*.swift Benchmarks/*/Package.swift Benchmarks/*/Sources

test-browser: deps-browser build ## Use the page in a headless Chromium
	Tests/Browser/install .build/browser
	.build/browser/bin/python Tests/Browser/check.py $(PROGRAM)

lint: ## Check the form of the sources
	$(SWIFT) format lint --strict --recursive $(SOURCES)

format: ## Bring the sources into form
	$(SWIFT) format --in-place --recursive $(SOURCES)

deps-run: PACKAGES = $(BUILD_PACKAGES) $(RUN_PACKAGES)
deps-test: PACKAGES = $(BUILD_PACKAGES) $(RUN_PACKAGES) $(TEST_PACKAGES)
deps-run: ## Install the packages that 'make run' needs, and only those that are missing
deps-test: ## Install the packages that 'make test' needs, and only those that are missing
deps-deb: PACKAGES = $(BUILD_PACKAGES) $(DEB_PACKAGES)
deps-deb: ## Install the packages that 'make deb' needs, and only those that are missing
deps-test-deb: PACKAGES = $(BUILD_PACKAGES) $(DEB_PACKAGES) debootstrap systemd-container
deps-test-container: PACKAGES = $(BUILD_PACKAGES) $(RUN_PACKAGES) $(DEB_PACKAGES) buildah debootstrap
deps-test-addon: PACKAGES = $(BUILD_PACKAGES) $(RUN_PACKAGES) $(DEB_PACKAGES) curl jq python3-yaml
deps-test-documents: PACKAGES = $(BUILD_PACKAGES) $(RUN_PACKAGES) curl iproute2 python3-jsonschema python3-paho-mqtt python3-yaml sqlite3
deps-rabbitmq: PACKAGES = $(BUILD_PACKAGES) $(RUN_PACKAGES) $(TEST_PACKAGES) rabbitmq-server
deps-cost: PACKAGES = $(BUILD_PACKAGES) $(RUN_PACKAGES) python3 python3-paho-mqtt
deps-clients: PACKAGES = $(BUILD_PACKAGES) ffmpeg gir1.2-gstreamer-1.0 gstreamer1.0-plugins-bad gstreamer1.0-plugins-base gstreamer1.0-plugins-good python3 python3-gi python3-venv
deps-browser: PACKAGES = $(BUILD_PACKAGES) $(RUN_PACKAGES) chromium python3 python3-venv
deps-run deps-deb deps-test deps-test-deb deps-test-container deps-test-addon deps-test-documents deps-rabbitmq deps-browser deps-clients deps-cost:
	@$(SWIFT) --version >/dev/null 2>&1 || { \
	  echo "$@: '$(SWIFT)' does not run: install Swift 6.2 or newer (https://www.swift.org/install/linux/)" \
	    "and put it into PATH, or name it with SWIFT=/path/to/swift" >&2; exit 1; }
	@missing=(); \
	if command -v dpkg-query >/dev/null; then \
	  for package in $(PACKAGES); do \
	    state=$$(dpkg-query --show --showformat='$${db:Status-Status}' "$$package" 2>/dev/null || true); \
	    [[ $$state == installed ]] || missing+=("$$package"); \
	  done; \
	else missing=($(PACKAGES)); fi; \
	if (( $${#missing[@]} == 0 )); then echo "$@: nothing is missing"; exit 0; fi; \
	command -v apt-get >/dev/null || { \
	  echo "$@: there is no apt-get here: install what corresponds to Debian's $${missing[*]}," \
	    "then use '$(SWIFT) build' and '$(SWIFT) test'" >&2; exit 1; }; \
	sudo=(); \
	if (( EUID != 0 )); then \
	  command -v sudo >/dev/null || { \
	    echo "$@: missing: $${missing[*]}; install them as root, there is no sudo here" >&2; exit 1; }; \
	  sudo=(sudo); \
	fi; \
	echo "$@: installing $${missing[*]}$${sudo:+ (with sudo)}"; \
	"$${sudo[@]}" apt-get update --quiet=2; \
	"$${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
	  apt-get install --quiet=2 --yes --no-install-recommends "$${missing[@]}"

# This does not depend on 'build': root would then own what the compiler writes. Whoever works here runs 'make build'
# first, and root 'make install'.
install: ## Install the program, its systemd unit and, if there is none yet, its configuration
	@test -x $(PROGRAM) || { echo "install: run 'make build' first" >&2; exit 1; }
	install -D --mode=755 $(PROGRAM) '$(DESTDIR)$(PREFIX)/bin/printer2mqtt'
	install -d '$(DESTDIR)$(PREFIX)/lib/systemd/system'
	sed 's|/usr/local|$(PREFIX)|g; s|/etc/|$(SYSCONFDIR)/|g' config/printer2mqtt.service \
	  > '$(DESTDIR)$(PREFIX)/lib/systemd/system/printer2mqtt.service'
	install -D --mode=644 config/sysusers.conf '$(DESTDIR)$(PREFIX)/lib/sysusers.d/printer2mqtt.conf'
	test -e '$(DESTDIR)$(SYSCONFDIR)/printer2mqtt/printer2mqtt.yaml' || \
	  install -D --mode=640 config/printer2mqtt.yaml '$(DESTDIR)$(SYSCONFDIR)/printer2mqtt/printer2mqtt.yaml'
ifeq ($(DESTDIR),)
	systemd-sysusers '$(PREFIX)/lib/sysusers.d/printer2mqtt.conf'
	chgrp printer2mqtt '$(SYSCONFDIR)/printer2mqtt/printer2mqtt.yaml'
	test -e /var/lib/printer2mqtt || install -d --owner=printer2mqtt --group=printer2mqtt --mode=700 /var/lib/printer2mqtt
endif
	@echo "Now: systemctl daemon-reload && systemctl enable --now printer2mqtt"

uninstall: ## Stop and remove the program and its unit; configuration, state and user stay
	@if [[ -z '$(DESTDIR)' && -d /run/systemd/system && -e '$(PREFIX)/lib/systemd/system/printer2mqtt.service' ]]; then \
	  systemctl disable --now printer2mqtt.service; \
	fi
	rm -f '$(DESTDIR)$(PREFIX)/bin/printer2mqtt' '$(DESTDIR)$(PREFIX)/lib/systemd/system/printer2mqtt.service' \
	  '$(DESTDIR)$(PREFIX)/lib/sysusers.d/printer2mqtt.conf'
	@if [[ -z '$(DESTDIR)' && -d /run/systemd/system ]]; then systemctl daemon-reload; fi

clean: ## Remove everything that was built
	rm -rf .build
