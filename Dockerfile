# One image for web, worker and beat; docker-compose.yml says which is which.
FROM python:3.12-slim

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    POLARLAB_ENV=production \
    POLARLAB_VAR=/var/lib/polarlab

RUN useradd --system --uid 10001 --home-dir /var/lib/polarlab --create-home polarlab
WORKDIR /app

# Before the code, so that a change of code installs nothing again.
COPY requirements/base.txt requirements/base.txt
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes --only-binary :all: \
    -r requirements/base.txt

# What .dockerignore lets through: the code, and nothing of this checkout's own.
COPY . .

# The code stays root's: the server can read it, not change it.
USER polarlab
VOLUME /var/lib/polarlab
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=10s --start-period=30s --retries=4 \
    CMD ["python", "-m", "config.health", "web"]
CMD ["gunicorn", "config.wsgi", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "4", \
     "--worker-tmp-dir", "/dev/shm", "--no-control-socket", "--keep-alive", "0"]
